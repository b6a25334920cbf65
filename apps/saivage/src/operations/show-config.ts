import { anyone } from '@portolan/mcp/tool';
import { z } from 'zod';
import { operation } from './operation.ts';

export const showConfig = operation('show_config', {
  title: 'Configuration of the project',
  says:
    'The configuration that the server was started with, as YAML with defaults filled in and secrets left out. ' +
    'Connections that agents defined are not part of it.',
  access: anyone,
  effect: 'reads',
  input: z.strictObject({}),
  output: z.object({ yaml: z.string() }),
  example: {},
}).run(async (_, { deps }) => ({ yaml: deps.configuration }));
