import { describe, expect, it } from 'vitest';
import { readConfig } from '../../config.ts';

const long = (letter: string) => letter.repeat(32);

describe('MER-12.2 MER-10.5 tokens of programs', () => {
  it('are read by variable, with the scopes that each may name, and kept as hashes', () => {
    const { config } = readConfig({
      SURVEY_AGENT_TOKENS: `digest:author+publisher+analyst+reader+harbour:${long('a')}`,
      AGENT_CONTROL_TOKENS: `planner:control:${long('b')}`,
      BUILDER_AGENT_TOKENS: `ci:builder:${long('c')},ci:builder:${long('d')}`,
    });
    expect(config?.tokens.map(({ kind, name, scopes }) => [kind, name, scopes.join(' ')])).toEqual([
      ['survey_token', 'digest', 'author publisher analyst reader harbour'],
      ['control_token', 'planner', 'control'],
      ['builder_token', 'ci', 'builder'],
      ['builder_token', 'ci', 'builder'],
    ]);
    for (const letter of 'abcd') expect(JSON.stringify(config)).not.toContain(long(letter));
  });

  it('stop the start with every fault of all variables at once, and never with a token', () => {
    const { faults } = readConfig({
      MERVARE_ORIGIN: 'nowhere',
      SURVEY_AGENT_TOKENS: [
        'digest:author',
        'digest:author: ',
        `digest:author: ${long('p')}`,
        `digest:author:${'s'.repeat(31)}`,
        '',
        ` :builder+:${long('u')}`,
        `fine:reader:${long('f')}`,
        `again:reader:${long('f')}`,
      ].join(','),
      AGENT_CONTROL_TOKENS: `planner:author:${long('x')},planner:control:${'y'.repeat(501)}`,
      BUILDER_AGENT_TOKENS: `ci:builder:${long('f')},ci:builder:${long('z')}é`,
    });
    expect(faults).toEqual([
      'MERVARE_ORIGIN must be an origin such as https://mervare.example, without a path.',
      'SURVEY_AGENT_TOKENS: entry 1 has a blank token: it is name:scope+scope:token.',
      'SURVEY_AGENT_TOKENS: entry 2 has a blank token: it is name:scope+scope:token.',
      'SURVEY_AGENT_TOKENS: entry 3 has a token with space around it.',
      'SURVEY_AGENT_TOKENS: entry 4 has a token of fewer than 32 characters.',
      'SURVEY_AGENT_TOKENS: entry 5 is blank.',
      'SURVEY_AGENT_TOKENS: entry 6 needs a name of 1 to 100 letters, digits, dots, dashes or underscores.',
      'SURVEY_AGENT_TOKENS: entry 6 names the scope "builder"; it may name author, publisher, analyst, reader, harbour.',
      'SURVEY_AGENT_TOKENS: entry 6 names a scope that does not exist; it may name author, publisher, analyst, reader, harbour.',
      'SURVEY_AGENT_TOKENS: entry 8 repeats a token that stands before it.',
      'AGENT_CONTROL_TOKENS: entry 1 names the scope "author"; it may name control.',
      'AGENT_CONTROL_TOKENS: entry 2 has a token of more than 500 characters.',
      'BUILDER_AGENT_TOKENS: entry 1 repeats a token that stands before it.',
      'BUILDER_AGENT_TOKENS: entry 2 has a token with characters that no bearer token may have (RFC 6750).',
    ]);
    expect(faults.join()).not.toMatch(/ppp|sss|uuu|fff|xxx|yyy|zzz/);
  });

  it('are not told where one stands in the place of another part', () => {
    const { faults } = readConfig({
      SURVEY_AGENT_TOKENS: `digest:${long('q')}:author,${long('q')}:author:digest,${long('q')}:author`,
    });
    expect(faults).toHaveLength(4);
    expect(faults.join()).not.toContain('qqq');
  });

  it('are none where the variables are not set, or set to nothing', () => {
    expect(readConfig({}).config?.tokens).toEqual([]);
    expect(readConfig({ BUILDER_AGENT_TOKENS: '' }).config?.tokens).toEqual([]);
  });
});
