import { describe, expect, it } from 'vitest';
import { eventsOf, saidIn, talkOf, talkWith, toolsOf, type TestTool } from '../testing/talk.ts';
import { callsOf } from '../history.ts';
import { chooseCall, valueIn } from './demo-choice.ts';
import { demo } from './demo.ts';
import { firstNames } from './demo-names.ts';

const place = { anyOf: [{ type: 'string' }, { type: 'object', properties: { lat: { type: 'number' } } }] };

/** Tools as a harbour site has them: five of its backend, one of its page. */
const harbours: Record<string, TestTool> = {
  harbour_search: {
    description: 'Finds harbours by name, country, or distance from a place.',
    inputSchema: object({
      query: { type: 'string' },
      country: { type: 'string' },
      near: place,
      limit: { type: 'integer' },
    }),
    run: () => ({
      content: [{ type: 'text', text: '6 harbours' }],
      structuredContent: {
        total: 6,
        harbours: ['Tallinn', 'Muuga', 'Paldiski', 'Miiduranna', 'Kopli', 'Vene-Balti'].map((name) => ({
          slug: name,
          name,
        })),
      },
    }),
  },
  harbour_get: {
    description: 'One harbour with everything that its page shows.',
    inputSchema: object({ slug: { type: 'string' } }, ['slug']),
  },
  harbour_page_snapshot: {
    description: 'The text of a harbour page.',
    inputSchema: object({ slug: { type: 'string' } }, ['slug']),
  },
  harbour_query: { description: 'Harbours by facts.', inputSchema: object({ services: { type: 'array' } }) },
  harbour_stats: { description: 'How many harbours there are, by country.', inputSchema: object({}) },
  highlight_harbour: {
    description: 'Shows a harbour on the map of this page.',
    inputSchema: object({ zoom: { type: 'integer' }, name: { type: 'string' } }, ['name']),
    run: () => 'shown',
  },
};

function object(properties: object, required: string[] = []) {
  return { type: 'object', properties, required };
}

function listed() {
  return Object.entries(harbours).map(([name, { description = '', inputSchema = {} }]) => ({
    name,
    description,
    inputSchema,
  }));
}

describe('the demo model', () => {
  it('SVE-33.4 asks a tool that fits the question and reads real names out of its result', async () => {
    const turn = talkWith([{ text: '.' }], {
      route: { candidates: [demo()] },
      transcript: talkOf('Which harbours are near Tallinn?'),
      tools: [toolsOf(harbours)],
    });
    const said = saidIn(await eventsOf(turn));
    expect(callsOf(turn.transcript.entries[1]).map(({ name, input }) => ({ name, input }))).toEqual([
      { name: 'harbour_search', input: { near: 'Tallinn' } },
    ]);
    expect(said).toBe(
      'I am the demo model: no language model is configured, so I only match words. ' +
        'I called harbour_search. It found: Tallinn, Muuga, Paldiski, Miiduranna, Kopli.',
    );
  });

  it('SVE-33.4 makes one call a message, and a new one for the next message', async () => {
    const turn = talkWith([{ text: '.' }], { route: { candidates: [demo()] }, tools: [toolsOf(harbours)] });
    await eventsOf(turn);
    turn.transcript.take({ type: 'message', parts: [{ type: 'text', text: 'Highlight Tallinn' }] });
    const said = saidIn(await eventsOf(turn));
    const made = turn.transcript.entries.flatMap((entry) =>
      callsOf(entry).map(({ name, input }) => [name, input]),
    );
    expect(made).toEqual([
      ['harbour_search', { near: 'Tallinn' }],
      ['highlight_harbour', { name: 'Tallinn' }],
    ]);
    expect(said).toContain('I called highlight_harbour. It answered: shown');
  });

  it('SVE-33.4 says what it is when nothing fits, and when a call fails', async () => {
    const route = { candidates: [demo()] };
    const lost = talkWith([{ text: '.' }], {
      route,
      transcript: talkOf('Weather?'),
      tools: [toolsOf(harbours)],
    });
    expect(saidIn(await eventsOf(lost))).toMatch(
      /^I am the demo model.*None of my tools fits your words\. I have harbour_search, /,
    );
    const failing = talkWith([{ text: '.' }], { route, tools: [toolsOf(harbours)], validate: () => 'no' });
    expect(saidIn(await eventsOf(failing))).toMatch(/It answered with an error: The arguments do not fit/);
  });

  it.each([
    ['Which harbours are near Tallinn?', { name: 'harbour_search', args: { near: 'Tallinn' } }],
    ['Highlight Tallinn', { name: 'highlight_harbour', args: { name: 'Tallinn' } }],
    ['How many harbours are there by country?', { name: 'harbour_stats', args: {} }],
    [
      'Show the page of harbour "Pärnu jahisadam"',
      { name: 'harbour_page_snapshot', args: { slug: 'Pärnu jahisadam' } },
    ],
    ['Weather?', undefined],
  ])('SVE-33.4 chooses for %s', (question, call) => {
    expect(chooseCall(question, listed())).toEqual(call);
  });

  it('SVE-33.4 leaves arguments alone that take only given words', () => {
    const unit = { type: 'string', enum: ['metric', 'imperial'] };
    const inputSchema = object({ unit, place: { type: 'string' } }, ['unit', 'place']);
    const weather = { name: 'weather_get', description: 'The weather.', inputSchema };
    expect(chooseCall('Weather in Riga', [weather])).toEqual({
      name: 'weather_get',
      args: { place: 'Riga' },
    });
  });

  it.each([
    ['Which harbours are near Tallinn?', 'Tallinn'],
    ['Find Kuressaare Old Town near Riga', 'Kuressaare Old Town'],
    ['Show «Õismäe» and Riga', 'Õismäe'],
    ['say "hello there" to Ann', 'hello there'],
    ['Where is Ääsmäe-Küla?', 'Ääsmäe-Küla'],
    ['what is the weather', 'what is the weather'],
  ])('SVE-33.4 takes the value out of %s', (question, value) => {
    expect(valueIn(question)).toBe(value);
  });

  it.each([
    ['{"items":[{"title":"A"},{"x":1},{"name":{"untrusted":"B"}}]}', ['A', 'B']],
    ['{"harbour":{"name":"Muuga"},"near":[1,2]}', []],
    ['{"name":"Muuga"}', ['Muuga']],
    ['not json', []],
  ])('reads the names in %s', (result, names) => {
    expect(firstNames(result)).toEqual(names);
  });

  it('SVE-33.4 never takes words for what another answer gives, such as a cursor', () => {
    const tool = {
      name: 'harbour_query',
      description: 'Counts harbours.',
      inputSchema: object({ cursor: { type: 'string' } }),
    };
    expect(chooseCall('How many harbours are in Norway?', [tool])).toEqual({
      name: 'harbour_query',
      args: {},
    });
  });
});
