import { UsageError } from '@portolan/cli';
import { Misconfigured } from '@portolan/mcp/tool';
import { describe, expect, it } from 'vitest';
import { secret } from '../config/secrets.ts';
import { analystRequest, analystSettings, type AnalystFlags } from './settings.ts';

const flags: AnalystFlags = {
  analystMode: 'external',
  analystMcpPort: '8082',
  analystMcpPrincipal: 'local-operator',
  analystMcpTools: 'get_status,read',
};
const token = secret('t');
const granted = ['get_status', 'show_config', 'read'];

describe('the flags of the Analyst listener', () => {
  it('SAI-20.1 are taken as they are written', () => {
    expect(analystRequest(flags)).toEqual({
      mode: 'external',
      port: 8082,
      principal: 'local-operator',
      tools: ['get_status', 'read'],
    });
  });

  it.each([
    ['both', { ...flags, analystMode: 'both' }],
    ['the lowest port', { ...flags, analystMcpPort: '1' }],
    ['the highest port', { ...flags, analystMcpPort: '65535' }],
    ['a principal of one letter', { ...flags, analystMcpPrincipal: 'a' }],
    ['a principal of 63', { ...flags, analystMcpPrincipal: 'a'.repeat(63) }],
  ])('SAI-20.1 accept %s', (_, accepted) => {
    expect(analystRequest(accepted)).toBeDefined();
  });

  it.each<[string, AnalystFlags]>([
    ['an unknown mode', { ...flags, analystMode: 'External' }],
    ['no port', { ...flags, analystMcpPort: undefined }],
    ['port 0', { ...flags, analystMcpPort: '0' }],
    ['port 65536', { ...flags, analystMcpPort: '65536' }],
    ['a port with a sign', { ...flags, analystMcpPort: '+8082' }],
    ['a port with a zero before', { ...flags, analystMcpPort: '08082' }],
    ['a port that is no number', { ...flags, analystMcpPort: '8082x' }],
    ['a principal in capitals', { ...flags, analystMcpPrincipal: 'Operator' }],
    ['a principal with a digit first', { ...flags, analystMcpPrincipal: '1a' }],
    ['a principal of 64', { ...flags, analystMcpPrincipal: 'a'.repeat(64) }],
    ['a principal with a line end', { ...flags, analystMcpPrincipal: 'a\n' }],
    ['no tools', { ...flags, analystMcpTools: undefined }],
    ['a tool twice', { ...flags, analystMcpTools: 'read,get_status,read' }],
  ])('SAI-20.1 refuse %s', (_, refused) => {
    expect(() => analystRequest(refused)).toThrow(UsageError);
  });

  it.each([
    ['an operation that the Analyst has not', 'get_status,get_card'],
    ['a wildcard', '*'],
    ['a space behind the comma', 'get_status, read'],
    ['a comma too many', 'get_status,'],
    ['an empty name', ''],
    ['another case', 'Get_status'],
  ])('SAI-20.2 refuse %s', (_, analystMcpTools) => {
    expect(() =>
      analystSettings(
        analystRequest({ ...flags, analystMcpTools }),
        { api: undefined, analyst: token },
        granted,
      ),
    ).toThrow(/^--analyst-mcp-tools: the Analyst has no operation /);
  });

  it('SAI-20.2 select among what the Analyst is granted, in the order given', () => {
    const request = analystRequest({ ...flags, analystMcpTools: 'read,get_status' });
    const settings = analystSettings(request, { api: undefined, analyst: token }, granted);
    expect(settings?.tools).toEqual(['read', 'get_status']);
  });

  it.each([
    ['port', { analystMcpPort: '8082' }],
    ['principal', { analystMcpPrincipal: 'a' }],
    ['tools', { analystMcpTools: 'read' }],
  ])('SAI-20.3 have no use in the internal mode: %s', (name, one) => {
    expect(() => analystRequest(one)).toThrow(`--analyst-mcp-${name} has no use in the internal mode.`);
    expect(() => analystRequest({ analystMode: 'internal', ...one })).toThrow(UsageError);
  });

  it('SAI-20.3 leave the internal mode alone', () => {
    expect(analystRequest({})).toBeUndefined();
    expect(analystRequest({ analystMode: 'internal' })).toBeUndefined();
    expect(analystSettings(undefined, { api: token, analyst: undefined }, granted)).toBeUndefined();
  });

  it('SAI-20.4 want the token in the modes that use it and nowhere else', () => {
    expect(() => analystSettings(analystRequest(flags), { api: token, analyst: undefined }, granted)).toThrow(
      Misconfigured,
    );
    expect(() => analystSettings(undefined, { api: undefined, analyst: token }, granted)).toThrow(
      Misconfigured,
    );
  });
});
