import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry, createLog } from '@portolan/http';
import { sql } from 'kysely';
import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { servers } from '../mcp/servers.ts';
import { siteSecret } from '../secret/site-secret.ts';
import { createSurvey } from '../survey/drafts.ts';
import { createInvitation } from '../survey/invitations.ts';
import { move } from '../survey/transitions.ts';
import { rpc } from '../testing/rpc.ts';
import { testSite } from '../testing/site.ts';
import type { Loop } from '../work/loop.ts';
import { replyMark } from './marks.ts';
import { openMail } from './open.ts';
import { enqueueMail } from './outbox.ts';
import { letterStates } from './state.ts';

const inbound = 'inbound-token-0123456789-0123456789';
const tokens = {
  publisher: 'publisher-token-0123456789-0123456789',
  analyst: 'analyst-token-0123456789-0123456789-',
  control: 'control-token-0123456789-0123456789-',
};
let site: Awaited<ReturnType<typeof testSite>>;
let mail: Loop;
let folder: string;
const sent = new Map<string, () => void>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mervare-inbound-'));
  site = await testSite(servers, {
    MAIL_INBOUND_TOKEN: inbound,
    SURVEY_AGENT_TOKENS: `desk:publisher:${tokens.publisher},figures:analyst:${tokens.analyst}`,
    AGENT_CONTROL_TOKENS: `planner:control:${tokens.control}`,
  });
  const { db, listen } = site.register;
  const secret = siteSecret('a secret of the tests');
  const destination = {
    write(line: string) {
      const { letter = '' } = JSON.parse(line) as { letter?: string };
      sent.get(letter)?.();
    },
  };
  const log = createLog({ name: 'mail', destination });
  const parts = { db, listen, origin: site.origin, secret, metrics: new Registry(), log, now: Date.now };
  mail = await openMail({ dataDir: folder }, parts);
});
afterAll(async () => {
  await mail.close({ graceMs: 1000 });
  await site.close();
  rmSync(folder, { recursive: true });
});

/** A letter as it lies in its file, once it is there. */
async function letterFile(id: string) {
  const { db } = site.register;
  const isSent = async () =>
    (await db.selectFrom('mail_letter').select('state').where('id', '=', id).executeTakeFirst())?.state ===
    'sent';
  const told = new Promise<void>((resolve) => sent.set(id, resolve));
  if (!(await isSent())) await told;
  const written = await simpleParser(readFileSync(join(folder, 'mail', `${id}.eml`)));
  const unsubscribe = written.headerLines.find(({ key }) => key === 'list-unsubscribe')?.line ?? '';
  return {
    replyTo: written.replyTo?.value[0]?.address ?? '',
    unsubscribe: /<(.+)>/.exec(unsubscribe)?.[1] ?? '',
  };
}

/** An invitation whose letter has left. */
async function invite(to: string) {
  const { db } = site.register;
  const now = Date.now();
  const questions = [{ id: 'berths', type: 'number' as const, label: 'Berths?', required: false }];
  const ids = await db.transaction().execute(async (tx) => {
    const draft = await createSurvey(
      tx,
      'test:me',
      { title: 'Berths', intro: null, language: 'en', questions },
      now,
    );
    const key = { survey: draft.survey, edition: draft.edition };
    await move(tx, key, { transition: 'publish', expectedVersion: 1 }, now);
    const whom = { name: 'Anna', email: to, language: 'en', context: null, batch: null, expiresAt: null };
    const invitation = await createInvitation(tx, 'test:me', { ...key, ...whom }, now);
    const letter = {
      lane: 'survey',
      key: `invitation:${invitation.id}`,
      to,
      subject: 'Berths',
      text: 'Hello',
    } as const;
    return { survey: draft.survey, invitation: invitation.id, letter: await enqueueMail(tx, letter, now) };
  });
  return { ...ids, ...(await letterFile(ids.letter)) };
}

async function post(raw: string | Buffer, headers: Record<string, string> = {}) {
  const response = await fetch(new URL('/api/mail/inbound', site.origin), {
    method: 'POST',
    headers: { 'content-type': 'message/rfc822', authorization: `Bearer ${inbound}`, ...headers },
    body: raw,
  });
  return [response.status, await response.json()];
}

function message(to: string, headers: string, body: string): string {
  return `From: Anna <anna@port.example>\nTo: ${to}\nSubject: Re: Berths\n${headers}\n\n${body}`.replaceAll(
    '\n',
    '\r\n',
  );
}

/** The report of a mail server about the letter of a reply address. */
function report(replyTo: string, action: string, status: string): string {
  return message(
    replyTo,
    'MIME-Version: 1.0\nContent-Type: multipart/report; report-type=delivery-status; boundary=b',
    `--b\nContent-Type: text/plain\n\nSorry.\n--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example\n\nFinal-Recipient: rfc822; ben@port.example\nAction: ${action}\nStatus: ${status}\nDiagnostic-Code: smtp; 550\n no such user: ${replyTo}\n\n--b\nContent-Type: message/rfc822\n\nSubject: Berths\n\nHello\n--b--\n`,
  );
}

async function call<Answer>(token: keyof typeof tokens, name: string, input: object): Promise<Answer> {
  const response = await rpc(`${site.origin}/api/mcp`, tokens[token], 'tools/call', {
    name,
    arguments: input,
  });
  const { result, error } = (await response.json()) as {
    result?: { structuredContent: Answer };
    error?: object;
  };
  return result?.structuredContent ?? (error as Answer);
}

interface Replies {
  readonly replies: readonly (Record<string, unknown> & { readonly id: string })[];
}

const unknownAddress = [
  404,
  { error: 'not_found', message: 'This message came to no reply address of a letter of ours.' },
];

describe('MER-60.7 what comes back', () => {
  it('needs its own token before a byte is read, and is one message of bounded size', async () => {
    const refused = [
      401,
      { error: 'invalid_token', message: 'Send the inbound mail token as a bearer token.' },
    ];
    const large = 'x'.repeat(10 * 1024 * 1024 + 1);
    for (const authorization of ['', `Bearer ${tokens.publisher}`, `Bearer ${inbound}x`, `Basic ${inbound}`])
      expect(await post('x', { authorization })).toEqual(refused);
    expect(await post(large, { authorization: 'Bearer x' })).toEqual(refused);
    expect(await post(large)).toMatchObject([413, { error: 'too_large' }]);
    expect(await post('{}', { 'content-type': 'application/json' })).toMatchObject([415, {}]);
    expect((await rpc(`${site.origin}/api/mcp`, inbound, 'tools/list')).status).toBe(401);
  });

  it('MER-31.17 is kept with the invitation that it answers, marked as text of others, until somebody handled it', async () => {
    const { replyTo, invitation, survey } = await invite('anna@port.example');
    const link = `${site.origin}/s/${'k'.repeat(43)}`;
    const raw = message(
      `Mervare <${replyTo.toUpperCase()}>`,
      'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b',
      `--b\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\nK=C3=BCll on kohti.\n> <${replyTo}> wrote: ${link}\n> https://l.example/?u=https%3A%2F%2Fm.example%2Fs%2F${'k'.repeat(43)}\n> https://n.example/v2?u=https-3A__m.example_s_${'k'.repeat(43)}&d=1\n--b\nContent-Type: application/pdf\nContent-Disposition: attachment; filename=a.pdf\n\n%PDF\n--b--\n`,
    );
    expect(await post(raw)).toEqual([200, { kind: 'reply' }]);
    expect(await post(raw)).toEqual([200, { kind: 'reply' }]);
    const asked = { surveyId: survey, handled: false };
    const { replies } = await call<Replies>('analyst', 'survey_replies', asked);
    expect(replies).toEqual([
      {
        id: expect.any(String) as string,
        surveyId: survey,
        invitationId: invitation,
        kind: 'reply',
        sender: { untrusted: 'anna@port.example' },
        subject: { untrusted: 'Re: Berths' },
        text: {
          untrusted: `Küll on kohti.\n> <mervare+…@localhost> wrote: ${site.origin}/s/…\n> https://l.example/?u=https%3A%2F%2Fm.example%2Fs%2F…\n> https://n.example/v2?u=https-3A__m.…&d=1`,
        },
        cut: false,
        attachments: 1,
        receivedAt: expect.any(String) as string,
      },
    ]);
    const done = { replyId: replies[0]?.id };
    expect(await call('analyst', 'survey_reply_handled', done)).toMatchObject({ code: -32602 });
    const first = await call('publisher', 'survey_reply_handled', done);
    expect(first).toMatchObject({ handledBy: 'survey_token:desk' });
    expect(await call('publisher', 'survey_reply_handled', done)).toEqual(first);
    const { rows: audited } = await sql`
      select who, ids from audit where action = 'survey_reply_handled' order by n limit 1`.execute(
      site.register.db,
    );
    expect(audited).toEqual([{ who: 'desk', ids: [replies[0]?.id] }]);
    expect(await call('publisher', 'survey_replies', asked)).toEqual({ replies: [] });
    expect(
      await call('publisher', 'survey_replies', { invitationId: invitation, handled: true }),
    ).toMatchObject({
      replies: [{ id: replies[0]?.id }],
    });
  });

  it('is told apart: a person, a machine, and the report of a mail server, which bounces the letter', async () => {
    const { replyTo, invitation, letter } = await invite('ben@port.example');
    const away = message(replyTo, 'Auto-Submitted: auto-replied', 'I am away.');
    expect(await post(away)).toEqual([200, { kind: 'automatic' }]);
    const standing = async () =>
      (await letterStates(site.register.db, [`invitation:${invitation}`])).get(`invitation:${invitation}`);
    expect(await post(report(replyTo, 'delayed', '4.4.1'))).toEqual([200, { kind: 'automatic' }]);
    expect(await standing()).toMatchObject({ state: 'sent' });
    expect(await post(report(replyTo, 'failed', '5.1.1'))).toEqual([200, { kind: 'bounce' }]);
    expect(await standing()).toMatchObject({
      id: letter,
      state: 'bounced',
      reason: '5.1.1 smtp; 550 no such user: mervare+…@localhost',
    });
    const { replies } = await call<Replies>('publisher', 'survey_replies', { invitationId: invitation });
    expect(replies.map(({ kind, attachments }) => [kind, attachments])).toEqual([
      ['bounce', 0],
      ['automatic', 0],
      ['automatic', 0],
    ]);
  });

  it('is refused where it answers nothing of ours, or is made to be expensive', async () => {
    const { replyTo } = await invite('carl@port.example');
    const forged = replyTo.replace(/.@/, (end) => (end === '0@' ? '1@' : '0@'));
    expect(await post(message(forged, '', 'x'))).toEqual(unknownAddress);
    expect(await post(message('surveys@mervare.example', `In-Reply-To: ${replyTo}`, replyTo))).toEqual(
      unknownAddress,
    );
    expect(await post('')).toEqual(unknownAddress);
    const parts = '--b\nContent-Type: text/plain\n\nx\n'.repeat(300);
    const many = message(
      replyTo,
      'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b',
      `${parts}--b--`,
    );
    expect(await post(many)).toMatchObject([400, { error: 'invalid_input' }]);
    expect(await post(message(replyTo, `X: ${'y'.repeat(300_000)}`, 'x'))).toMatchObject([400, {}]);
  });

  it('is cut and cleaned where it is long or cannot be kept', async () => {
    const { replyTo, invitation } = await invite('dora@port.example');
    expect(
      await post(message(`x@y.example\nDelivered-To: ${replyTo}`, '', `a\0b${'z'.repeat(30_000)}`)),
    ).toEqual([200, { kind: 'reply' }]);
    const html = `<p>${'<b>'.repeat(5000)}deep</p>`;
    expect(await post(message(replyTo, 'Content-Type: text/html', html))).toMatchObject([200, {}]);
    const { replies } = await call<Replies>('publisher', 'survey_replies', { invitationId: invitation });
    expect(replies[1]).toMatchObject({ cut: true });
    const { untrusted = '' } = (replies[1]?.['text'] ?? {}) as { untrusted?: string };
    expect([untrusted.length, untrusted.slice(0, 4)]).toEqual([20_000, 'a\u{fffd}bz']);
    expect(site.logged.join('')).not.toMatch(/anna@port|dora@port|kohti|\/s\/k|surveys\+/);
  });
});

describe('MER-60.5 unsubscribing', () => {
  it('is one click, by the page or by a mail program, and is remembered without the address', async () => {
    const { unsubscribe } = await invite('emma@port.example');
    const ask = async (method: string, address = unsubscribe) => {
      const body = method === 'POST' ? 'List-Unsubscribe=One-Click' : null;
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const response = await fetch(address, { method, body, headers });
      return { status: response.status, text: await response.text(), headers: response.headers };
    };
    const remembered = async () => (await sql`select * from mail_suppression`.execute(site.register.db)).rows;
    const page = await ask('GET');
    expect([page.status, page.text.match(/<button[^>]*>([^<]+)/)?.[1]]).toEqual([
      200,
      'Send me no more letters',
    ]);
    expect(
      ['cache-control', 'referrer-policy', 'x-robots-tag'].map((name) => page.headers.get(name)),
    ).toEqual(['no-store', 'no-referrer', 'noindex, nofollow']);
    expect(await remembered()).toEqual([]);
    const wrong = unsubscribe.replace(/.$/, (end) => (end === '0' ? '1' : '0'));
    expect([(await ask('GET', wrong)).status, (await ask('POST', wrong)).status]).toEqual([404, 404]);
    for (let n = 0; n < 2; n++) expect(await ask('POST')).toMatchObject({ status: 200 });
    expect(await remembered()).toEqual([
      { address: expect.any(Buffer) as Buffer, at: expect.any(Date) as Date },
    ]);
    const { db } = site.register;
    const later = { lane: 'survey', key: 'later', to: 'Emma@port.example', subject: 'x', text: 'x' } as const;
    const other = { ...later, key: 'other', to: 'fred@port.example' };
    const ids = await db
      .transaction()
      .execute(async (tx) => [
        await enqueueMail(tx, later, Date.now()),
        await enqueueMail(tx, other, Date.now()),
      ]);
    await letterFile(ids[1] ?? '');
    // Nothing is logged of the other one, which ends at its own time.
    await expect
      .poll(async () => [...(await letterStates(db, ['later'])).values()].map(({ state }) => state))
      .toEqual(['suppressed']);
    expect(existsSync(join(folder, 'mail', `${ids[0]}.eml`))).toBe(false);
  });
});

describe('MER-35.7 a letter of an agent', () => {
  it('goes out as it was prepared, and shows what came back', async () => {
    interface Mail {
      readonly id: string;
      readonly digest: string;
      readonly state: string;
    }
    const text = { to: 'gustav@port.example', subject: 'Berths', text: 'May we call you?' };
    const prepared = await call<Mail>('control', 'agent_mail_prepare', text);
    expect(prepared.state).toBe('prepared');
    const queued = { mailId: prepared.id, digest: prepared.digest };
    expect((await call<Mail>('control', 'agent_mail_enqueue', queued)).state).not.toBe('prepared');
    const { rows } = await sql<{ id: string }>`select id from mail_letter where lane = 'agents'`.execute(
      site.register.db,
    );
    const { replyTo } = await letterFile(rows[0]?.id ?? '');
    expect(await post(message(replyTo, '', 'On Monday.'))).toEqual([200, { kind: 'reply' }]);
    expect(await call('control', 'agent_mail_get', { mailId: prepared.id })).toMatchObject({
      state: 'sent',
      text: { untrusted: 'May we call you?' },
      replies: [
        { kind: 'reply', sender: { untrusted: 'anna@port.example' }, text: { untrusted: 'On Monday.' } },
      ],
    });
    expect(await call('publisher', 'survey_replies', { handled: false })).not.toMatchObject({
      replies: expect.arrayContaining([
        expect.objectContaining({ text: { untrusted: 'On Monday.' } }),
      ]) as unknown[],
    });
    expect(await call('control', 'agent_event_list', { subject: prepared.id })).toMatchObject({
      events: [{ what: 'replied' }, { what: 'sent' }, { what: 'queued' }, { what: 'prepared' }],
    });
  });

  it('is not tried again once a mail server has given it up', async () => {
    const { db } = site.register;
    const write = async (to: string) => {
      const text = { to, subject: 'Berths', text: 'May we call you?' };
      const { id, digest } = await call<{ id: string; digest: string }>(
        'control',
        'agent_mail_prepare',
        text,
      );
      await call('control', 'agent_mail_enqueue', { mailId: id, digest });
      const key = `agent_mail:${id}`;
      return { mail: id, letter: (await letterStates(db, [key])).get(key)?.id ?? '' };
    };
    await call('control', 'agent_mail_pause', { reason: 'The server is slow.' });
    const given = await write('hedwig@port.example');
    const replyTo = `mervare+${replyMark(siteSecret('a secret of the tests'), given.letter)}@localhost`;
    expect(await post(report(replyTo, 'failed', '5.1.1'))).toEqual([200, { kind: 'bounce' }]);
    await call('control', 'agent_mail_resume', {});
    const next = await write('ida@port.example');
    await letterFile(next.letter);
    expect(existsSync(join(folder, 'mail', `${given.letter}.eml`))).toBe(false);
    expect(await call('control', 'agent_mail_get', { mailId: given.mail })).toMatchObject({
      state: 'bounced',
    });
  });
});
