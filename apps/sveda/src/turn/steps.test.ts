import { startModelServer } from '@portolan/agent/testing';
import { describe, expect, it } from 'vitest';
import { callIn, closing } from '../testing/opened.ts';
import { toast } from '../testing/toast.ts';
import { testNodes, yamlFor } from '../testing/nodes.ts';
import { rawHost } from '../testing/raw-host.ts';
import { rawVisitor, testSveda } from '../testing/sveda.ts';

describe('the steps of a turn', () => {
  it('SVE-14.6 end after thirty with max_steps, and go on when they are continued', async () => {
    const server = await testSveda(`${'- calls: [{ name: nowhere }]\n'.repeat(31)}- text: At last.`);
    closing(server);
    const visitor = rawVisitor(server.origin, await server.mint({ visitor_id: 'v' }));
    const first = await visitor.stream({ message: { text: 'Try' } });
    expect(first.slice(-2)).toMatchObject([
      { type: 'max_steps', maxSteps: 30 },
      { type: 'message.end', finishReason: 'max_steps' },
    ]);
    expect(first.filter(({ type }) => type === 'tool.result')).toHaveLength(30);
    const { chatId = '' } = first[0] ?? {};
    const second = await visitor.stream({ chatId, continue: true });
    expect(second.filter(({ type }) => type === 'tool.result')).toHaveLength(1);
    expect(second.at(-1)).toMatchObject({ turnId: first[0]?.turnId, finishReason: 'stop' });
  });

  it('SVE-14.7 run what waits for nobody at once, whatever the others wait for', async () => {
    // Each answers only when the other one has come.
    let meet = (): void => undefined;
    const met = new Promise<void>((resolve) => (meet = resolve));
    const arrived: string[] = [];
    const arrive = (name: string) => async (): Promise<string> => {
      if (arrived.push(name) === 2) meet();
      await met;
      return name;
    };
    const host = await rawHost({
      read_a: { run: arrive('a') },
      read_b: { run: arrive('b') },
      delete_c: { confirmation: 'required', run: () => 'c' },
    });
    const server = await testSveda(
      '- calls: [{ name: toast }, { name: read_a }, { name: delete_c }, { name: read_b }]\n- text: Done.',
    );
    closing(host);
    closing(server);
    const pair = { host_mcp_url: host.url, host_mcp_token: 'bearer' };
    const visitor = rawVisitor(server.origin, await server.mint({ visitor_id: 'v', ...pair }));
    const events = await visitor.stream({ message: { text: 'All' }, clientTools: [toast] });
    const results = events.flatMap((event) => (event.type === 'tool.result' ? [event.toolName] : []));
    expect(results.toSorted()).toEqual(['read_a', 'read_b']);
    expect(events.at(-1)).toMatchObject({ finishReason: 'tool_calls' });
  });
});

describe('C-04 the result of a page call', () => {
  it('is taken once of several that come together, and starts one model step', async () => {
    const model = await startModelServer((_request, index) =>
      index === 0 ? { calls: [{ name: 'toast' }] } : { text: 'Shown.' },
    );
    const nodes = await testNodes(yamlFor(model), 2);
    closing(model);
    closing(nodes);
    const headers = await nodes.mint({ visitor_id: 'v' });
    const visitors = nodes.origins.map((origin) => rawVisitor(origin, headers['x-sveda-embed-token'] ?? ''));
    const first = await visitors[0]?.stream({ message: { text: 'Show' }, clientTools: [toast] });
    const toolCallId = callIn(first ?? [], 'toast');
    const body = { chatId: first?.[0]?.chatId, toolResults: [{ toolCallId, output: 'ok' }] };
    const answers = await Promise.all([...visitors, ...visitors].map((visitor) => visitor.post(body)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
    await Promise.all(answers.map((answer) => answer.text()));
    expect(model.requests).toHaveLength(2);
  });
});
