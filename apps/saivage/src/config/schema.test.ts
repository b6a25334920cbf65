import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { expect, it } from 'vitest';
import { startingYaml } from '../project/template.ts';
import { configurationSchema } from './schema.ts';

it('SAI-3.3 is described to editors by a JSON Schema that judges as the program does', () => {
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(configurationSchema());
  expect(validate(parse(startingYaml({ analyst: ['read'] })))).toBe(true);
  expect(validate({ mcpServers: { a: { transport: 'stdio', command: 'x' } } })).toBe(true);
  expect(validate({ sever: {} })).toBe(false);
  expect(validate({ server: { port: '8080' } })).toBe(false);
  expect(
    validate({ mcpServers: { a: { transport: 'stdio', command: 'x', url: 'https://e.example' } } }),
  ).toBe(false);
});
