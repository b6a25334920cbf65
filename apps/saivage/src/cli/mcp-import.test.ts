import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderOfTest, makeProject } from '../testing/project.ts';
import { run } from '../testing/terminal.ts';

const FILE = {
  theme: 'dark',
  mcpServers: {
    github: {
      type: 'stdio',
      command: 'npx',
      args: ['-y', '@example/github'],
      env: { GITHUB_TOKEN: 'ghp_one', LEVEL: 'debug', PATH: '/opt/bin' },
    },
    'work-github': { command: 'npx', env: { GITHUB_TOKEN: 'ghp_two', LEVEL: 'debug' }, disabled: true },
    docs: { url: 'https://example.com/mcp', headers: { Authorization: 'Bearer of_docs' } },
    old: { type: 'sse', url: 'https://example.com/sse' },
    'My Server': { command: 'node' },
    wrong: { command: 5 },
    ftp: { url: 'ftp://example.com' },
    login: { url: 'https://me:word@example.com/mcp' },
  },
};

const imported = async (text: string) => {
  const { root } = folderOfTest();
  writeFileSync(join(root, 'client.json'), text);
  return run(['mcp', 'import', 'client.json'], { workingFolder: root });
};

describe('saivage mcp import', () => {
  it('SAI-7.6 prints the YAML without secrets, and says what it could not take', async () => {
    const { code, out, complaint } = await imported(JSON.stringify(FILE));
    expect(out).toBe(`mcpServers:
  github:
    transport: stdio
    command: npx
    args:
      - -y
      - "@example/github"
    env:
      GITHUB_TOKEN: \${GITHUB_GITHUB_TOKEN}
      LEVEL: \${LEVEL}
      PATH: /opt/bin
  work-github:
    transport: stdio
    command: npx
    env:
      GITHUB_TOKEN: \${WORK_GITHUB_GITHUB_TOKEN}
      LEVEL: \${LEVEL}
    disabled: true
  docs:
    transport: streamable-http
    url: https://example.com/mcp`);
    expect(complaint.split('\n')).toEqual([
      'Set in the environment of saivage: GITHUB_GITHUB_TOKEN, LEVEL, WORK_GITHUB_GITHUB_TOKEN.',
      '"docs" loses: headers.',
      '"old" is left out: it speaks the old SSE transport.',
      '"My Server" is left out: its name must begin with a letter; letters, digits, _, . and - may follow.',
      '"wrong" is left out: its entry has neither a command nor a URL in the usual form.',
      '"ftp" is left out: url must be an absolute http or https URL.',
      '"login" is left out: url may not hold a user name or a password.',
    ]);
    expect(code).toBe(1);
  });

  it('SAI-7.6 leaves out what would be dropped without a word as the prototype of an object', async () => {
    const { code, out, complaint } = await imported(
      `{"mcpServers":{"__proto__":{"command":"x"},"a":{"command":"x","env":{"__proto__":"y"}},"b":{"command":"x"}}}`,
    );
    expect([code, out]).toEqual([1, 'mcpServers:\n  b:\n    transport: stdio\n    command: x']);
    expect(complaint.split('\n')).toEqual([
      '"__proto__" is left out: the key __proto__ is not allowed.',
      '"a" is left out: the key __proto__ is not allowed.',
    ]);
  });

  it('SAI-7.6 prints what `check` accepts once the variables are set', async () => {
    const { github, docs } = FILE.mcpServers;
    const { code, out } = await imported(JSON.stringify({ mcpServers: { github, docs } }));
    const { root } = makeProject(folderOfTest(), out);
    const environment = { GITHUB_TOKEN: 'x', LEVEL: 'y' };
    expect([code, (await run(['check'], { workingFolder: root, environment })).code]).toEqual([0, 0]);
  });

  it.each(['', '{"servers":{}}', '[]', '{"mcpServers":[]}'])('SAI-7.6 refuses a file of %j', async (text) => {
    expect(await imported(text)).toEqual({
      code: 64,
      out: '',
      complaint: 'saivage: The file is no JSON object with a block `mcpServers`.',
    });
  });

  it('SAI-7.6 refuses a file that is not there', async () => {
    const { code, complaint } = await run(['mcp', 'import', 'x'], { workingFolder: folderOfTest().root });
    expect([code, complaint]).toEqual([1, expect.stringMatching(/^saivage: ENOENT/)]);
  });
});
