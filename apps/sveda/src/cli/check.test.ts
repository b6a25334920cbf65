import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startModelServer } from '@portolan/agent/testing';
import { testDatabase } from '@portolan/store/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrations } from '../migrations.ts';
import { runCommand } from './program.ts';

let folder: string;
let database: Awaited<ReturnType<typeof testDatabase>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sveda-check-'));
  database = await testDatabase({ app: 'sveda', migrations });
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

async function check(yaml: string): Promise<{ code: number; said: string[] }> {
  const file = join(folder, 'sveda.yaml');
  await writeFile(file, yaml);
  const said: string[] = [];
  const say = (line: string): void => void said.push(line.replaceAll(folder, ''));
  const environment = {
    SVEDA_CONFIG: file,
    DATABASE_URL: database.url,
    SVEDA_APP_KEY: 'an app key of at least thirty-two characters',
    MODEL_KEY: 'sk-secret-of-the-model',
  };
  const code = await runCommand(['check'], { environment, print: say, complain: say });
  return { code, said };
}

describe('sveda check', () => {
  it('SVE-32.1 says every fault of the file at once, with its place', async () => {
    expect(await check('models: []\ncors: { origin: [] }\nlimits: { postsPerMinute: 0 }\n')).toEqual({
      code: 78,
      said: [expect.stringMatching(/^fault: .*models[\s\S]*origin[\s\S]*postsPerMinute/)],
    });
  });

  it('SVE-32.3 asks every model and every shared MCP server, and says what each lacks', async () => {
    const model = await startModelServer(({ body }) =>
      body.model === 'good' ? { text: 'ready' } : { fault: 'unauthorized' },
    );
    const nobody = createServer((_, response) => response.writeHead(404).end());
    await new Promise<void>((resolve) => nobody.listen(0, '127.0.0.1', resolve));
    const { port } = nobody.address() as AddressInfo;
    const candidate = (name: string) =>
      `  - { provider: openai-compatible, baseURL: '${model.baseURL}', apiKey: '\${MODEL_KEY}', model: ${name} }\n`;
    const { code, said } = await check(
      `models:\n${candidate('good')}${candidate('bad')}mcp: { mcpServers: { docs: { url: 'http://127.0.0.1:${port}/mcp' } } }\n`,
    );
    expect(code).toBe(78);
    expect(said.toSorted()).toEqual([
      expect.stringMatching(/^fault: MCP server docs: The server refused the request/),
      expect.stringMatching(/^fault: Model bad: The model refused our credentials\./),
    ]);
    expect(said.join()).not.toContain('sk-secret');
    await model.close();
    nobody.close();
  });

  it('SVE-32.3 is content where all answer', async () => {
    expect(await check('models: [{ provider: demo }]\n')).toEqual({
      code: 0,
      said: [
        'No fault found. Models: demo. Shared MCP servers: none. Minting needs to come from this machine.',
      ],
    });
  });
});
