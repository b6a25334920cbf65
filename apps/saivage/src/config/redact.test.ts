import { parse } from 'yaml';
import { expect, it } from 'vitest';
import { readConfiguration } from './read.ts';
import { redacted, redactedYaml } from './redact.ts';

it('SAI-17.2 shows a configuration without its secrets', () => {
  const yaml = `
providers:
  p: { protocol: openai-responses, baseUrl: "https://u:pw-1@models.example/v1?key=q-1", apiKey: "\${KEY}" }
mcpServers:
  local:
    transport: stdio
    command: node
    args: [peer.js, --token, t-1, --api-key=t-2, --verbose, plain, "postgres://u:pw-2@db/x", --header, "Authorization: Bearer t-3", "https://example.com/?a=1&key=t-4"]
    env: { A: e-1 }
  remote: { transport: streamable-http, url: "https://example.com/mcp?token=q-2" }
`;
  const reading = readConfiguration(yaml, {
    environment: { KEY: 'k-1' },
    operations: [],
    defaultAgents: { analyst: [] },
  });
  if ('faults' in reading) throw new Error('The configuration is right.');
  const shown = redactedYaml(reading.configuration);
  expect(shown).not.toMatch(/pw-|q-1|k-1|t-\d|e-1|q-2/);
  expect(parse(shown)).toEqual(redacted(reading.configuration));
  expect(parse(shown)).toMatchObject({
    server: { host: '127.0.0.1', port: 8080 },
    providers: { p: { baseUrl: 'https://redacted@models.example/v1?redacted', apiKey: '[redacted]' } },
    mcpServers: {
      local: {
        args: [
          'peer.js',
          '--token',
          '[redacted]',
          '--api-key=[redacted]',
          '--verbose',
          'plain',
          'postgres://redacted@db/x',
          '--header',
          'Authorization: [redacted]',
          'https://example.com/?a=1&key=[redacted]',
        ],
        env: { A: '[redacted]' },
      },
      remote: { url: 'https://example.com/mcp?redacted' },
    },
  });
});
