import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog, Registry } from '@portolan/http';
import { sql } from 'kysely';
import { simpleParser } from 'mailparser';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import { siteSecret } from '../secret/site-secret.ts';
import { certify } from '../testing/certificate.ts';
import { start } from '../testing/command.ts';
import { happenings } from '../testing/happenings.ts';
import { testRegister } from '../testing/site.ts';
import { mailServer } from '../testing/smtp.ts';
import type { Loop } from '../work/loop.ts';
import { suppressionOf } from './marks.ts';
import { openMail } from './open.ts';
import { enqueueMail, withdrawMail, type NewLetter } from './outbox.ts';
import { readSmtpUrl } from './smtp-url.ts';
import { smtpTransport } from './smtp.ts';
import { letterStates } from './state.ts';
import { suppress } from './suppressions.ts';
import { pauseAgents, resumeAgents } from './switch.ts';
import type { Outcome, Transport } from './transport.ts';
import { startMailWorker } from './worker.ts';

const secret = siteSecret('a secret of the tests');
const origin = 'https://mervare.example';
const from = { name: 'Mervare', local: 'surveys', domain: 'mervare.example' };
/** `looks` counts how often the nodes have asked for the time: at every look for a letter, at least. */
const clock = { now: 0, looks: 0 };
let register: Awaited<ReturnType<typeof testRegister>>;
let server: Awaited<ReturnType<typeof mailServer>>;
let nodes: Loop[];
let logged: string[];
let folder: string;
let site: ReturnType<typeof start> | undefined;
/** Looked at with every line of the log and every look of a node. */
const { happened, until } = happenings();
const log = createLog({
  name: 'mail',
  destination: {
    write(line) {
      logged.push(line);
      happened();
    },
  },
});

beforeAll(async () => {
  register = await testRegister();
});
afterAll(() => register.close());
beforeEach(async () => {
  await sql`truncate mail_letter, mail_suppression, mail_reply, store_job, agent_event`.execute(register.db);
  clock.now = Date.parse('2026-05-04T12:00:00Z');
  nodes = [];
  logged = [];
  folder = mkdtempSync(join(tmpdir(), 'mervare-mail-'));
  server = await mailServer({ behaviour });
});
afterEach(async () => {
  await Promise.all(nodes.map((node) => node.close({ graceMs: 0 })));
  await server.kill();
  site?.child.kill('SIGKILL');
  await site?.ended;
  site = undefined;
  rmSync(folder, { recursive: true });
});

/** What the mail server does with whom. */
function behaviour(to: string, attempt: number) {
  if (to.startsWith('later')) return attempt <= 2 ? 451 : 'take';
  if (to.startsWith('never')) return 451;
  if (to.startsWith('nobody')) return 550;
  if (to.startsWith('big')) return 552;
  return to.startsWith('held') && attempt === 1 ? 'hold' : 'take';
}

/** Resolves once so many log lines have this message. */
async function told(message: string, times = 1): Promise<void> {
  await until(() => logged.filter((line) => line.includes(`"msg":"${message}"`)).length >= times);
}

async function node(
  transport: Transport = toServer(),
  { metrics = new Registry(), beatMs = 10 }: { metrics?: Registry; beatMs?: number } = {},
): Promise<Loop> {
  const { db, listen } = register;
  const letterhead = { from, origin, secret };
  const now = () => {
    clock.looks += 1;
    happened();
    return clock.now;
  };
  const times = { now, pollMs: 10, beatMs };
  const loop = await startMailWorker({ db, listen, letterhead, transport, metrics, log, ...times });
  nodes.push(loop);
  return loop;
}

/** To the mail server that there is at each try. */
function toServer(auth?: { user: string; pass: string }): Transport {
  const at = { host: '127.0.0.1', secure: false, demandsTls: false, ...(auth && { auth }) };
  return (...letter) => smtpTransport({ ...at, port: server.port }, 'mervare.example')(...letter);
}

/** Something that will be, and what makes it so. */
function promised<Value>(): [Promise<Value>, (value: Value) => void] {
  let settle: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((resolve) => (settle = resolve));
  return [promise, settle];
}

function queue(to: string, more: Partial<NewLetter> = {}): Promise<string> {
  const letter: NewLetter = {
    lane: 'survey',
    key: `test:${to}`,
    to,
    subject: 'Grüße aus Tallinn',
    text: 'Please answer: https://mervare.example/s/abc',
    ...more,
  };
  return register.db.transaction().execute((tx) => enqueueMail(tx, letter, clock.now));
}

async function standing(to: string) {
  return (await letterStates(register.db, [`test:${to}`])).get(`test:${to}`);
}

async function textOf(to: string) {
  const { rows } = await sql`select subject, text from mail_letter where addressee = ${to}`.execute(
    register.db,
  );
  return rows[0];
}

/** Resolves once no letter waits for a try any more. */
async function noneWaits(): Promise<void> {
  const waiting = async () => (await sql`select from store_job`.execute(register.db)).rows.length;
  await expect.poll(waiting).toBe(0);
}

/** Resolves once a node has said that it is at it. */
async function leasedUntil(time: number): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ due: Date }>`select due_at as due from store_job`.execute(register.db);
    if (rows[0]?.due.getTime() === time) return;
  }
}

async function nextTry(): Promise<number> {
  const { rows } = await sql<{ due: Date }>`select due_at as due from store_job`.execute(register.db);
  return ((rows[0]?.due.getTime() ?? 0) - clock.now) / 1000;
}

describe('MER-60.1 a letter that is queued', () => {
  it('goes out once a key with a reply address of its own, and then its text goes', async () => {
    const id = await queue('anna@port.example');
    expect(await queue('anna@port.example', { subject: 'Again' })).toBe(id);
    await expect(
      register.db.transaction().execute(async (tx) => {
        await enqueueMail(tx, { lane: 'survey', key: 'x', to: 'x@port.example', subject: 'x', text: 'x' }, 0);
        throw new Error('the cause failed');
      }),
    ).rejects.toThrow('the cause failed');
    expect(await standing('anna@port.example')).toMatchObject({ state: 'queued', attempts: 0 });
    const metrics = new Registry();
    await node(toServer(), { metrics });
    await told('letter sent');
    expect(server.taken).toHaveLength(1);
    const [{ from: envelope, message } = { from: '', message: '' }] = server.taken;
    const mail = await simpleParser(message);
    expect(envelope).toMatch(/^surveys\+[0-9a-f]{48}@mervare\.example$/);
    expect(mail.replyTo?.value[0]?.address).toBe(envelope);
    expect([mail.from?.text, mail.subject, mail.text?.trim(), mail.messageId]).toEqual([
      '"Mervare" <surveys@mervare.example>',
      'Grüße aus Tallinn',
      'Please answer: https://mervare.example/s/abc',
      `<${id}@mervare.example>`,
    ]);
    expect(message).toMatch(
      /^List-Unsubscribe: <https:\/\/mervare\.example\/mail\/unsubscribe\/[0-9a-f]{80}>\r?$/m,
    );
    expect(message).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m);
    expect(await standing('anna@port.example')).toMatchObject({
      state: 'sent',
      attempts: 1,
      sentAt: new Date(clock.now),
    });
    expect(await textOf('anna@port.example')).toEqual({ subject: null, text: null });
    expect(await metrics.metrics()).toContain('mail_tries_total{lane="survey",state="sent"} 1');
    await expect(
      sql`update mail_letter set state = 'sending', text = 'x', subject = 'x'`.execute(register.db),
    ).rejects.toThrow('stays as it is');
  });
});

describe('MER-60.2 a letter that is not taken now', () => {
  it('is tried again with growing pauses, byte for byte the same', async () => {
    await queue('later@port.example');
    await node();
    await told('letter not taken');
    expect(await standing('later@port.example')).toMatchObject({
      state: 'queued',
      reason: '451 4.2.2 not now, later@port.example',
    });
    expect(await nextTry()).toBe(60);
    clock.now += 60_000;
    await told('letter not taken', 2);
    expect(await nextTry()).toBe(120);
    clock.now += 120_000;
    await told('letter sent');
    expect(await standing('later@port.example')).toMatchObject({ state: 'sent', attempts: 3, reason: null });
    expect(server.offered).toHaveLength(3);
    expect(new Set(server.offered).size).toBe(1);
  });

  it('bounces when it was tried for days', async () => {
    await queue('never@port.example');
    await sql`update store_job set attempts = 30`.execute(register.db);
    await node();
    await told('letter not taken');
    expect(await nextTry()).toBe(4 * 3600);
    clock.now += 4 * 3_600_000;
    await told('letter not taken', 2);
    expect(await standing('never@port.example')).toMatchObject({ state: 'bounced', attempts: 32 });
  });

  it('survives a server that is killed in the middle of it', async () => {
    await queue('held@port.example');
    await node();
    await server.until(() => server.held.length === 1);
    expect(await standing('held@port.example')).toMatchObject({ state: 'sending' });
    const { offered } = server;
    await server.kill();
    await told('letter not taken');
    expect(await standing('held@port.example')).toMatchObject({
      state: 'queued',
      reason: 'The mail server was not reached or broke off.',
    });
    clock.now += 60_000;
    await told('letter not taken', 2);
    server = await mailServer();
    clock.now += 120_000;
    await told('letter sent');
    expect(server.offered).toEqual(offered);
    expect(await standing('held@port.example')).toMatchObject({ state: 'sent', attempts: 3 });
  });
});

describe('MER-60.3 a letter that is refused for good', () => {
  it('bounces at once, whether the server refuses the addressee or the letter', async () => {
    const marked = `nobody+${'0'.repeat(48)}@port.example`;
    await Promise.all([queue('nobody@port.example'), queue('big@port.example'), queue(marked)]);
    await node();
    await told('letter not taken', 3);
    expect(await standing('nobody@port.example')).toMatchObject({
      state: 'bounced',
      failedAt: new Date(clock.now),
      reason: '550 5.1.1 nobody is nobody@port.example',
    });
    // What opens something is not told, where a server repeats it.
    expect(await standing(marked)).toMatchObject({ reason: '550 5.1.1 nobody is nobody+…@port.example' });
    expect(await standing('big@port.example')).toMatchObject({ state: 'bounced', attempts: 1 });
    expect(await textOf('big@port.example')).toEqual({ subject: null, text: null });
    expect((await sql`select from store_job`.execute(register.db)).rows).toEqual([]);
    // An addressee’s name is nothing for the log.
    expect(logged.join('')).not.toContain('port.example');
  });
});

describe('MER-60.4 several nodes', () => {
  it('send each letter once', async () => {
    const addressees = Array.from({ length: 24 }, (_, n) => `a${n}@port.example`);
    await Promise.all(addressees.map((to) => queue(to)));
    for (let n = 0; n < 3; n++) await node();
    await told('letter sent', 24);
    expect(Object.fromEntries(server.tries)).toEqual(Object.fromEntries(addressees.map((to) => [to, 1])));
  });

  it('leave a letter to the one that has it, for as long as that says so', async () => {
    await queue('held@port.example');
    await Promise.all([node(), server.until(() => server.held.length === 1)]);
    clock.now += 299_000;
    await leasedUntil(clock.now + 300_000);
    clock.now += 299_000;
    await node();
    await queue('ben@port.example');
    await told('letter sent');
    server.held[0]?.();
    await told('letter sent', 2);
    expect(Object.fromEntries(server.tries)).toEqual({ 'held@port.example': 1, 'ben@port.example': 1 });
  });

  it('go on with what a lost one had, which can say nothing of it any more', async () => {
    await queue('anna@port.example');
    const [begun, begin] = promised<AbortSignal>();
    const [end, settle] = promised<Outcome>();
    const lost: Transport = (letter, signal) => {
      // One that it is about to take while it is lost does no harm.
      if (letter.envelope.to !== 'anna@port.example') return toServer()(letter, signal);
      begin(signal);
      return end;
    };
    const gone = await node(lost, { beatMs: 1e9 });
    await begun;
    // It takes no other letter, and never ends with this one.
    void gone.close({ graceMs: 60_000 });
    await node();
    clock.now += 299_000;
    await queue('ben@port.example');
    await told('letter sent');
    expect(server.taken.map(({ to }) => to)).toEqual(['ben@port.example']);
    clock.now += 1_000;
    await told('letter sent', 2);
    settle({ is: 'refused', reason: '550 late' });
    await told('the letter is another node’s now');
    expect(await standing('anna@port.example')).toMatchObject({ state: 'sent', attempts: 2 });
    expect(server.tries.get('anna@port.example')).toBe(1);
  });

  it('stop at once with a letter that is another’s', async () => {
    await queue('anna@port.example');
    const [begun, begin] = promised<AbortSignal>();
    const [end, settle] = promised<Outcome>();
    await node((_letter, signal) => {
      begin(signal);
      return end;
    });
    const signal = await begun;
    const given = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    await sql`update store_job set fence = fence + 1`.execute(register.db);
    await given;
    settle({ is: 'deferred', reason: 'The delivery was given up.', ours: false });
    await told('the letter is another node’s now');
  });
});

describe('MER-60.5 an address that wants no letters', () => {
  it('gets none, also one that was queued before', async () => {
    await queue('Anna@Port.example');
    await suppress(register.db, suppressionOf(secret, 'anna@port.example '), clock.now);
    await queue('ben@port.example');
    await node();
    await told('letter sent');
    await noneWaits();
    expect(await standing('Anna@Port.example')).toMatchObject({ state: 'suppressed', attempts: 0 });
    expect(await textOf('Anna@Port.example')).toEqual({ subject: null, text: null });
    expect(server.taken.map(({ to }) => to)).toEqual(['ben@port.example']);
  });
});

describe('MER-60.6 the lane of the agents', () => {
  it('MER-35.7 stands still during a pause while surveys go on, and waits in order', async () => {
    const key = 'agent_mail:1';
    const { db } = register;
    await db.transaction().execute((tx) => pauseAgents(tx, 'control_token:planner', 'Wrong list', clock.now));
    await queue('one@port.example', { lane: 'agents', key });
    await queue('two@port.example');
    await node();
    await told('letter sent');
    const { looks } = clock;
    await until(() => clock.looks > looks + 40);
    expect((await letterStates(db, [key])).get(key)).toMatchObject({ state: 'queued', attempts: 0 });
    expect(server.taken.map(({ to }) => to)).toEqual(['two@port.example']);
    await db.transaction().execute((tx) => resumeAgents(tx));
    await told('letter sent', 2);
    expect(server.taken.map(({ to }) => to)).toEqual(['two@port.example', 'one@port.example']);
    const { rows } = await sql`select "by", kind, subject, what from agent_event`.execute(db);
    expect(rows).toEqual([{ by: 'site:mail', kind: 'mail', subject: '1', what: 'sent' }]);
  });
});

describe('MER-60.8 what is hostile', () => {
  it.each([
    [{ subject: 'Hello\r\nBcc: all@port.example' }],
    [{ subject: 'Hello\u0085Bcc: all@port.example' }],
    [{ subject: '' }],
    [{ to: 'anna@port.example, all@port.example' }],
    [{ to: 'anna@port.example\r\nRCPT TO:<all@port.example>' }],
    [{ to: 'Anna <anna@port.example>' }],
    [{ text: 'a\0b' }],
    [{ text: 'x'.repeat(50_001) }],
  ])('is refused before it is queued: %#', async (more) => {
    await expect(queue('anna@port.example', more)).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('makes no header and no line of SMTP out of a text', async () => {
    await queue('anna@port.example', { text: 'One\r\n.\r\nMAIL FROM:<x@x>\r\nBcc: all@port.example' });
    await node();
    await told('letter sent');
    expect(server.taken.map(({ to }) => to)).toEqual(['anna@port.example']);
    const { text, bcc } = await simpleParser(server.taken[0]?.message ?? '');
    expect([text?.trim(), bcc]).toEqual(['One\n.\nMAIL FROM:<x@x>\nBcc: all@port.example', undefined]);
  });

  it('tells nobody the password of the mail server, which it may repeat', async () => {
    await server.kill();
    server = await mailServer({ auth: { user: 'mervare', pass: 'hunter2-hunter2' } });
    await queue('anna@port.example');
    const wrong = await node(toServer({ user: 'mervare', pass: 'secret-in-url' }));
    await told('mail server fault');
    expect(await standing('anna@port.example')).toMatchObject({
      state: 'queued',
      reason: 'The mail server did not let us sign in. It answered 535.',
    });
    await wrong.close({ graceMs: 0 });
    await node(toServer({ user: 'mervare', pass: 'hunter2-hunter2' }));
    clock.now += 60_000;
    await told('letter sent');
    expect(logged.join('')).not.toMatch(/secret-in-url|hunter2/);
  });

  it('signs in nowhere in the clear', async () => {
    await server.kill();
    server = await mailServer({ auth: { user: 'mervare', pass: 'hunter2-hunter2' } });
    await queue('anna@port.example');
    const at = readSmtpUrl(`smtp://mervare:hunter2-hunter2@mail.example:${server.port}`);
    if (!at) throw new Error('The address was not read.');
    await node(smtpTransport({ ...at, host: '127.0.0.1' }, 'mervare.example'));
    await told('mail server fault');
    expect(await standing('anna@port.example')).toMatchObject({
      reason: 'There was no TLS with the mail server. It answered 500.',
    });
    expect(server.offered).toEqual([]);
  });

  it.each(['start', 'STARTTLS'] as const)(
    'hands nothing to a server that nobody vouches for: TLS by %s',
    async (from) => {
      const at = readSmtpUrl(await overTls(from));
      await queue('anna@port.example');
      if (!at) throw new Error('The address was not read.');
      await node(smtpTransport(at, 'mervare.example'));
      await told('mail server fault');
      expect(await standing('anna@port.example')).toMatchObject({
        state: 'queued',
        reason: 'There was no TLS with the mail server: DEPTH_ZERO_SELF_SIGNED_CERT.',
      });
      expect(server.offered).toEqual([]);
    },
  );

  it('no setting that is wrong is repeated', () => {
    const { faults } = readConfig({
      SMTP_URL: 'smtp://me:hunter2@mail.example/x',
      MERVARE_MAIL_FROM: 'a+b@c.example',
    });
    expect(faults).toEqual([
      'SMTP_URL must be smtp://user:password@host:port or smtps://…, percent-encoded, with nothing after the port.',
      'MERVARE_MAIL_FROM must be an address, or Name <address>, with at most 15 characters and no + before the @.',
    ]);
    expect(readConfig({ SMTP_URL: 'smtp://mail.example' }).faults).toEqual([
      'MERVARE_MAIL_FROM must be set to send letters by SMTP_URL.',
    ]);
    const variables = {
      SMTP_URL: 'smtp://me:a%40b@mail.example',
      MERVARE_MAIL_FROM: 'Mervare <surveys@mervare.example>',
    };
    expect(readConfig(variables).config).toMatchObject({
      smtp: {
        host: 'mail.example',
        port: 587,
        secure: false,
        demandsTls: true,
        auth: { user: 'me', pass: 'a@b' },
      },
      mailFrom: { name: 'Mervare', local: 'surveys', domain: 'mervare.example' },
    });
  });
});

describe('MER-60.10 a letter that is called back', () => {
  const callBack = (to: string) => register.db.transaction().execute((tx) => withdrawMail(tx, `test:${to}`));
  const withdrawn = { state: 'withdrawn', reason: null, sentAt: null, failedAt: null };

  it('does not leave, and its text goes at once', async () => {
    await queue('anna@port.example');
    await queue('ben@port.example');
    await callBack('anna@port.example');
    expect(await textOf('anna@port.example')).toEqual({ subject: null, text: null });
    await node();
    await told('letter sent');
    await noneWaits();
    expect(server.taken.map(({ to }) => to)).toEqual(['ben@port.example']);
    expect(await standing('anna@port.example')).toMatchObject({ ...withdrawn, attempts: 0 });
    await callBack('ben@port.example');
    expect(await standing('ben@port.example')).toMatchObject({ state: 'sent' });
  });

  it('is not tried again when the mail server did not take it, and is sent when it had it by then', async () => {
    const outcomes = new Map<string, (outcome: Outcome) => void>();
    await queue('anna@port.example');
    await queue('ben@port.example');
    await node(({ envelope }) => {
      const [end, settle] = promised<Outcome>();
      outcomes.set(envelope.to, settle);
      return end;
    });
    await until(() => outcomes.size === 2);
    for (const to of outcomes.keys()) await callBack(to);
    outcomes.get('anna@port.example')?.({ is: 'deferred', reason: '451 later', ours: false });
    outcomes.get('ben@port.example')?.({ is: 'sent' });
    await told('letter not taken');
    await told('letter sent');
    clock.now += 60_000;
    await noneWaits();
    expect(await standing('anna@port.example')).toMatchObject({ ...withdrawn, attempts: 1 });
    expect(await standing('ben@port.example')).toMatchObject({
      state: 'sent',
      sentAt: expect.any(Date) as Date,
    });
  });
});

/** The site on a mail server that speaks TLS alone, by a certificate that it is told to trust. */
async function serveOverTls(from: 'start' | 'STARTTLS') {
  clock.now = Date.now();
  const url = await overTls(from);
  return start(['serve', '--port', '0'], {
    DATABASE_URL: register.url,
    MERVARE_DATA: folder,
    // Each of these sites has a folder of its own, and all of them one database.
    MERVARE_SECRET: 'a secret of the tests, and no short one',
    SMTP_URL: url,
    MERVARE_MAIL_FROM: 'Mervare <surveys@mervare.example>',
    NODE_EXTRA_CA_CERTS: join(folder, 'mail.pem'),
  });
}

/** Puts a mail server in place that takes a password over TLS alone; its address. */
async function overTls(from: 'start' | 'STARTTLS'): Promise<string> {
  await server.kill();
  const { key, certificate } = await certify(folder, 'mail');
  const tls = { from, key: readFileSync(key), cert: readFileSync(certificate) };
  server = await mailServer({ behaviour, auth: { user: 'mervare', pass: 'hunter2-hunter2' }, tls });
  return `${from === 'start' ? 'smtps' : 'smtp'}://mervare:hunter2-hunter2@127.0.0.1:${server.port}`;
}

describe('MER-60.9 running', () => {
  it('without SMTP_URL writes letters into files, and says so', async () => {
    const { db, listen } = register;
    const id = await queue('anna@port.example');
    nodes.push(
      await openMail(
        { dataDir: folder },
        { db, listen, origin, secret, metrics: new Registry(), log, now: () => clock.now },
      ),
    );
    await told('without SMTP_URL no letter is sent: they go to files');
    await told('letter sent');
    const letters = join(folder, 'mail');
    expect(readdirSync(letters)).toEqual([`${id}.eml`]);
    const { from: sender, text } = await simpleParser(readFileSync(join(letters, `${id}.eml`)));
    expect([sender?.text, text?.trim()]).toEqual([
      '"Mervare" <mervare@localhost>',
      'Please answer: https://mervare.example/s/abc',
    ]);
    expect([statSync(letters).mode & 0o777, statSync(join(letters, `${id}.eml`)).mode & 0o777]).toEqual([
      0o700, 0o600,
    ]);
  });

  it('serve sends to the mail server by STARTTLS and counts it, and at SIGTERM ends what it is at and nothing more', async () => {
    site = await serveOverTls('STARTTLS');
    const { origin: here } = await site.logged('ready');
    await queue('anna@port.example');
    await site.logged('letter sent');
    expect(await (await fetch(new URL('/metrics', String(here)))).text()).toContain(
      'mail_tries_total{lane="survey",state="sent"} 1',
    );
    await queue('held@port.example');
    await server.until(() => server.held.length === 1);
    site.child.kill('SIGTERM');
    await site.logged('stopping');
    await queue('late@port.example');
    server.held[0]?.();
    const { code, out } = await site.ended;
    const taken = server.taken.map(({ to, secure }) => [to, secure]);
    expect([code, taken]).toEqual([
      0,
      [
        ['anna@port.example', true],
        ['held@port.example', true],
      ],
    ]);
    expect(await standing('held@port.example')).toMatchObject({ state: 'sent' });
    expect(await standing('late@port.example')).toMatchObject({ state: 'queued', attempts: 0 });
    expect(out.join()).not.toMatch(/port\.example|hunter2/);
  });

  it('MER-60.8 serve speaks TLS from the first byte to smtps://', async () => {
    site = await serveOverTls('start');
    await site.logged('ready');
    await queue('anna@port.example');
    await site.logged('letter sent');
    expect(server.taken.map(({ to, secure }) => [to, secure])).toEqual([['anna@port.example', true]]);
  });
});
