import { request } from 'node:http';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { SvedaClient, type Message } from '@sveda-ai/core';
import { startModelServer } from '@portolan/agent/testing';
import { describe, expect, it } from 'vitest';
import { usualTimes } from '../server.ts';
import { closing } from '../testing/opened.ts';
import { testNodes, yamlFor } from '../testing/nodes.ts';
import { rawHost } from '../testing/raw-host.ts';
import { readEvents } from '../testing/sveda.ts';
import { tcpProxy } from '../testing/tcp-proxy.ts';

/** The row's times are true seconds in the slow run, and a hundredth of them otherwise. */
const SLOW = process.env.PORTOLAN_TRUE_TIME === '1';
const seconds = (count: number): number => count * (SLOW ? 1_000 : 10);
const TIMEOUT = SLOW ? 400_000 : 120_000;

/** A host tool that takes 150 s without a word, behind a proxy that closes what is idle for 60 s. */
async function started() {
  const host = await rawHost({
    survey: { run: () => wait(seconds(150)).then(() => 'surveyed') },
  });
  const model = await startModelServer((_request, index) =>
    index === 0 ? { calls: [{ name: 'survey' }] } : { text: 'All of it is surveyed.' },
  );
  const nodes = await testNodes(yamlFor(model), 1, {
    heartbeatMs: SLOW ? usualTimes.heartbeatMs : seconds(15),
  });
  const proxy = await tcpProxy(nodes.origins[0] ?? '', seconds(60));
  closing(host);
  closing(model);
  closing(nodes);
  closing(proxy);
  const headers = await nodes.mint({ visitor_id: 'v', host_mcp_url: host.url, host_mcp_token: 'bearer' });
  const session = new SvedaClient({
    endpoints: { stream: `${proxy.origin}/sveda/stream` },
    headers,
    wait: (milliseconds) => wait(seconds(milliseconds / 1_000)),
  }).session();
  return { host, model, nodes, proxy, headers, session };
}

const answer = (messages: readonly Message[]) =>
  messages.flatMap((message) =>
    message.role === 'assistant'
      ? message.parts.map((part) => (part.kind === 'tool' ? part.result?.status : part.text))
      : [],
  );

describe('C-02 a long silent tool', () => {
  it(
    'SVE-11.4 keeps its stream by comments, through a proxy that closes what is idle',
    { timeout: TIMEOUT },
    async ({ annotate }) => {
      const { host, model, proxy, session } = await started();
      await session.send('Survey all');
      expect(answer(session.messages)).toEqual(['succeeded', 'All of it is surveyed.']);
      expect([host.calls.length, model.requests.length, proxy.idled]).toEqual([1, 2, 0]);
      await annotate(`silent for ${seconds(150) / 1_000} s, through a limit of ${seconds(60) / 1_000} s`);
    },
  );

  it(
    'is joined again after the network was away, and shows its answer once',
    { timeout: TIMEOUT },
    async ({ annotate }) => {
      const { host, model, proxy, session } = await started();
      const sent = session.send('Survey all');
      await host.until(() => host.calls.length === 1);
      await wait(seconds(20));
      proxy.cut();
      await wait(seconds(20));
      proxy.mend();
      await sent;
      expect(answer(session.messages)).toEqual(['succeeded', 'All of it is surveyed.']);
      expect([host.calls.length, model.requests.length]).toEqual([1, 2]);
      await annotate(`away for ${seconds(20) / 1_000} s`);
    },
  );

  it(
    'ends well for a reader who takes nothing for three minutes',
    { timeout: TIMEOUT },
    async ({ annotate }) => {
      const { host, nodes, headers } = await started();
      const sent = request(new URL('/sveda/stream', nodes.origins[0]), {
        method: 'POST',
        agent: false,
        headers: { ...headers, 'content-type': 'application/json' },
      });
      sent.end(JSON.stringify({ message: { text: 'Survey all' } }));
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      response.pause();
      await wait(seconds(180));
      let text = '';
      for await (const chunk of response) text += String(chunk);
      expect(readEvents(text).at(-1)).toMatchObject({ type: 'message.end', finishReason: 'stop' });
      expect(host.calls).toHaveLength(1);
      await annotate(`nothing taken for ${seconds(180) / 1_000} s`);
    },
  );

  it(
    'whose server cannot be reached any more ends in a stated error with a way to retry, and the finished turn is found later',
    { timeout: TIMEOUT },
    async () => {
      const { host, proxy, nodes, headers, session } = await started();
      const sent = session.send('Survey all');
      await host.until(() => host.calls.length === 1);
      proxy.cut();
      await sent;
      expect(session.state).toMatchObject({ status: 'error', error: { retryable: true } });
      await host.until(() => host.calls.length === 1);
      expect(await host.calls[0]?.closed).toBe(true);
      const direct = new SvedaClient({
        endpoints: { stream: `${nodes.origins[0]}/sveda/stream` },
        headers,
      });
      const [chat] = (await direct.histories.list()).chats;
      await expect
        .poll(async () => (await direct.histories.get(chat?.chatId ?? '')).turns[0]?.status)
        .toBe('done');
    },
  );
});
