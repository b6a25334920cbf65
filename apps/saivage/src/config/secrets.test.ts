import { Misconfigured } from '@portolan/mcp/tool';
import { describe, expect, it } from 'vitest';
import { takeSecrets } from './secrets.ts';

describe('the secrets of the environment', () => {
  it('SAI-20.4 are taken verbatim and leave the environment', () => {
    const environment = { SAIVAGE_API_TOKEN: 'a~!', SAIVAGE_ANALYST_MCP_TOKEN: 'b', PATH: '/bin' };
    const { api, analyst } = takeSecrets(environment);
    expect(environment).toEqual({ PATH: '/bin' });
    expect([api?.matches('a~!'), api?.matches('a'), api?.matches('')]).toEqual([true, false, false]);
    expect([analyst?.matches('b'), analyst?.matches('a~!')]).toEqual([true, false]);
  });

  it('are absent where they are not set', () => {
    expect(takeSecrets({})).toEqual({ api: undefined, analyst: undefined });
  });

  it.each([
    ['empty', ''],
    ['blank', '  '],
    ['padded before', ' a'],
    ['padded behind', 'a\n'],
    ['two words', 'a b'],
    ['more than ASCII', 'ä'],
  ])('SAI-20.4 SAI-5.2 are refused when they are %s', (_, value) => {
    expect(() => takeSecrets({ SAIVAGE_ANALYST_MCP_TOKEN: value })).toThrow(Misconfigured);
    expect(() => takeSecrets({ SAIVAGE_API_TOKEN: value })).toThrow(Misconfigured);
  });

  it('SAI-20.4 must differ, and no message shows them', () => {
    const same = { SAIVAGE_API_TOKEN: 'hush-hush', SAIVAGE_ANALYST_MCP_TOKEN: 'hush-hush' };
    expect(() => takeSecrets(same)).toThrow('SAIVAGE_ANALYST_MCP_TOKEN must differ from SAIVAGE_API_TOKEN.');
    expect(() => takeSecrets({ SAIVAGE_API_TOKEN: ' hush' })).toThrow(
      /^SAIVAGE_API_TOKEN has white space around it\.$/,
    );
  });
});
