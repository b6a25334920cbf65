import { describe, expect, it } from 'vitest';
import { SvedaClient } from '@sveda-ai/core';
import { callIn, talk } from '../testing/opened.ts';
import { rawVisitor, refusalOf } from '../testing/sveda.ts';

/** A host with a tool that answers and one that asks for confirmation. */
function started(script: string) {
  return talk({
    script,
    host: [{ name: 'read_a' }, { name: 'delete_c', _meta: { confirmation: 'required' } }],
    hostOptions: {
      answer: ({ id }, name) => ({
        content: [],
        structuredContent: { said: `${name} ${String(id)} õäöü 漢字` },
      }),
    },
  });
}

const bothTools =
  '- calls: [{ name: read_a, args: { id: "1" } }, { name: delete_c, args: { id: "2" } }]\n- text: Done.';

describe("the host's tools", () => {
  it('SVE-21.1 initialises, lists and calls with the visitor’s bearer, and brings the result whole', async () => {
    const { host, visitor, server } = await started(
      '- calls: [{ name: read_a, args: { id: "7" } }]\n- text: Read.',
    );
    const events = await visitor.stream({ message: { text: 'Read 7' } });
    expect(host.methods()).toEqual(['initialize', 'notifications/initialized', 'tools/list', 'tools/call']);
    expect(new Set(host.asked.map(({ headers }) => headers.authorization))).toEqual(
      new Set(['Bearer visitor-bearer']),
    );
    expect(events.find((event) => event.type === 'tool.result')).toMatchObject({
      status: 'succeeded',
      structuredContent: { said: 'read_a 7 õäöü 漢字' },
    });
    expect(server.logged.join('')).not.toContain('visitor-bearer');
  });

  it('SVE-2.6 gets the bearer of the very session, though one visitor has two', async () => {
    const { host, server, visitor } = await started(
      '- calls: [{ name: read_a, args: { id: "7" } }]\n- text: Read.',
    );
    const pair = { visitor_id: 'v1', host_mcp_url: host.url, host_mcp_token: 'bearer-of-the-second-session' };
    const second = rawVisitor(server.origin, await server.mint(pair));
    await second.stream({ message: { text: 'Read 7' } });
    await visitor.stream({ message: { text: 'Read 7' } });
    const callers = host.asked.filter(({ method }) => method === 'tools/call');
    expect(callers.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer bearer-of-the-second-session',
      'Bearer visitor-bearer',
    ]);
  });

  it('SVE-25.4 runs free calls at once, and a confirmed one once, only after its decision, with the stored arguments', async () => {
    const { host, visitor } = await started(bothTools);
    const first = await visitor.stream({ message: { text: 'Both' } });
    expect(host.calls()).toEqual(['read_a {"id":"1"}']);
    expect(first.find((event) => event.type === 'tool.call' && event.toolName === 'delete_c')).toMatchObject({
      confirmation: 'required',
      target: 'backend',
    });
    const decision = {
      chatId: first[0]?.chatId,
      toolDecisions: [{ toolCallId: callIn(first, 'delete_c'), decision: 'approve' as const }],
    };
    const second = await visitor.stream(decision);
    expect(host.calls()).toEqual(['read_a {"id":"1"}', 'delete_c {"id":"2"}']);
    expect(second.at(-1)).toMatchObject({ finishReason: 'stop' });
    expect(await refusalOf(await visitor.post(decision))).toEqual([409, 'call_not_open']);
    expect(host.calls()).toHaveLength(2);
  });

  it('C-07 keeps the confirmation of a host tool when the page offers one of the same name', async () => {
    const { host, visitor } = await started(
      '- calls: [{ name: delete_c, args: { id: "2" } }]\n- text: Done.',
    );
    const clash = { name: 'delete_c', description: 'Mine.', parameters: { type: 'object' } };
    const events = await visitor.stream({ message: { text: 'Delete' }, clientTools: [clash] });
    expect(events.find((event) => event.type === 'tool.call')).toMatchObject({
      target: 'backend',
      confirmation: 'required',
    });
    expect(host.calls()).toEqual([]);
  });

  it('SVE-21.2 goes on without tools, and tells model and operator, when the host cannot be reached', async () => {
    const { host, visitor, server } = await started('- text: I cannot reach them.');
    await host.close();
    const events = await visitor.stream({ message: { text: 'Read' } });
    expect(events.at(-1)).toMatchObject({ finishReason: 'stop' });
    expect(server.logged.join('')).toContain('host tools are not available');
  });

  it('SVE-40.3 serves the documented client: a page tool and a confirmed host call, end to end', async () => {
    const { host, server, visitor } = await started(
      '- calls: [{ name: get_selection }, { name: delete_c, args: { id: "5" } }]\n- text: All done.',
    );
    const client = new SvedaClient({
      endpoints: { stream: `${server.origin}/sveda/stream` },
      headers: visitor.headers,
    });
    client.tools.register({
      name: 'get_selection',
      description: 'Return the current UI selection',
      parameters: { type: 'object', properties: {} },
      handler: async (_input, { chatId, toolCallId }) => ({ chatId, toolCallId, selection: 'Tallinn' }),
    });
    const session = client.session();
    await session.send('Delete what I selected');
    const idle = new Promise<void>((resolve) =>
      session.on('state', ({ status }) => status === 'idle' && resolve()),
    );
    await session.decide(
      session.pending.map(({ toolCallId }) => toolCallId),
      'approve',
    );
    await idle;
    expect(host.calls()).toEqual(['delete_c {"id":"5"}']);
    const answer = session.messages.at(-1);
    expect(
      answer?.role === 'assistant' &&
        answer.parts.map((part) => (part.kind === 'tool' ? part.result?.status : part.text)),
    ).toEqual(['succeeded', 'succeeded', 'All done.']);
    const again = client.session(session.chatId);
    await again.load();
    expect(again.messages).toEqual(session.messages);
    client.close();
  });
});
