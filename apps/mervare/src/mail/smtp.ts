import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { Written } from './compose.ts';
import type { SmtpServer } from './smtp-url.ts';
import type { Outcome, Transport } from './transport.ts';

/** Milliseconds. A server may take long over a whole message: giving up on it then makes a second copy (RFC 5321 §4.5.3.2.6). */
const limits = { connectionTimeout: 30_000, greetingTimeout: 60_000, socketTimeout: 300_000 };
/** Bytes of one answer of the server. */
const LONGEST_ANSWER = 64 * 1024;

/** Sends over SMTP, on a connection for each letter: to give up on one touches no other. */
export function smtpTransport(server: SmtpServer, name: string): Transport {
  const { host, port, secure, demandsTls, auth } = server;
  return async (letter, signal) => {
    const connection = new SMTPConnection({
      host,
      port,
      secure,
      requireTLS: demandsTls,
      name,
      ...limits,
      socketCloseTimeout: 0,
      maxResponseSize: LONGEST_ANSWER,
    });
    try {
      await converse(connection, { auth, letter, signal });
      connection.quit();
      return { is: 'sent' };
    } catch (error) {
      connection.close();
      return judge(error as SmtpError);
    }
  };
}

interface Conversation {
  readonly auth: SmtpServer['auth'];
  readonly letter: Written;
  readonly signal: AbortSignal;
}

async function converse(connection: SMTPConnection, { auth, letter, signal }: Conversation): Promise<void> {
  signal.throwIfAborted();
  const broken = new Promise<never>((_resolve, reject) => {
    connection.on('error', reject);
    connection.once('end', () => reject(new Error('The mail server closed the connection.')));
    signal.addEventListener('abort', () => {
      connection.close();
      reject(signal.reason as Error);
    });
  });
  broken.catch(() => undefined);
  const step = (begin: (done: (error?: Error | null) => void) => void) =>
    Promise.race([
      broken,
      new Promise<void>((resolve, reject) => begin((error) => (error ? reject(error) : resolve()))),
    ]);
  await step((done) => connection.connect(done));
  if (auth) await step((done) => connection.login({ ...auth }, done));
  const { from, to } = letter.envelope;
  await step((done) => connection.send({ from, to: [to] }, letter.message, done));
}

/** What nodemailer says of a failure. */
interface SmtpError extends Error {
  readonly code?: string;
  /** What node says beneath it. */
  readonly originalCode?: string;
  readonly command?: string;
  readonly response?: string;
  readonly responseCode?: number;
  readonly permanent?: boolean;
}

/**
 * A refusal is for good where the server refused this addressee or this message. One that it gives to whoever connects, signs in or
 * names the sender is the operator's business, and its words may repeat what was sent there.
 */
function judge(error: SmtpError): Outcome {
  const { code = '', originalCode, command = '', response, responseCode, permanent, message } = error;
  const aboutLetter = command === 'RCPT TO' || command === 'DATA';
  if (responseCode !== undefined && aboutLetter) {
    const reason = response ?? `${responseCode}`;
    return permanent === true ? { is: 'refused', reason } : { is: 'deferred', reason, ours: false };
  }
  if (code === 'EMESSAGE' && command === 'MAIL FROM') return { is: 'refused', reason: message };
  if (breaksTls(error)) return { is: 'deferred', reason: `${NO_TLS}: ${originalCode}.`, ours: true };
  const said = responseCode === undefined ? '' : ` It answered ${responseCode}.`;
  const ours = responseCode !== undefined || code === 'ENOAUTH' || code === 'EAUTH' || code === 'ETLS';
  return { is: 'deferred', reason: `${failures[code] ?? 'The mail server was lost.'}${said}`, ours };
}

/** Whether there was a network, but a certificate that nobody vouches for, or no TLS at the other end. */
function breaksTls({ code, originalCode }: SmtpError): boolean {
  if (code !== 'ESOCKET' || originalCode === undefined) return false;
  // Codes of systems and streams begin with an E, those of certificates do not.
  return originalCode === 'EPROTO' || !/^E(?!RR_(?:SSL|TLS)_)/.test(originalCode);
}

const NO_TLS = 'There was no TLS with the mail server';

const failures: Readonly<Record<string, string>> = {
  EAUTH: 'The mail server did not let us sign in.',
  ENOAUTH: 'The mail server did not let us sign in.',
  ECONNECTION: 'The mail server was not reached or broke off.',
  ESOCKET: 'The mail server was not reached or broke off.',
  EDNS: 'The name of the mail server was not found.',
  ETLS: `${NO_TLS}.`,
  ETIMEDOUT: 'The mail server took too long.',
  EENVELOPE: 'The mail server did not take the sender.',
};
