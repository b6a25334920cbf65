import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { callbackify } from 'node:util';
import { SMTPServer, type SMTPServerAuthentication, type SMTPServerDataStream } from 'smtp-server';
import { happenings } from './happenings.ts';

/** A letter that a test's mail server was handed. */
export interface Taken {
  readonly from: string;
  readonly to: string;
  readonly message: string;
  /** It came over TLS. */
  readonly secure: boolean;
}

/** What the server answers to one addressee: `take`, an SMTP code (550 at once, others to the whole letter), or nothing until the test lets it. */
export type Behaviour = 'take' | 'hold' | number;

interface MailServerOptions {
  /** Asked for every try, counted from 1. */
  readonly behaviour?: (to: string, attempt: number) => Behaviour;
  readonly auth?: { readonly user: string; readonly pass: string };
  /** From the first byte, or by STARTTLS, before which nobody signs in. Without it there is none. */
  readonly tls?: { readonly from: 'start' | 'STARTTLS'; readonly key: Buffer; readonly cert: Buffer };
}

/** A real mail server on a port of this machine. */
export async function mailServer({ behaviour = () => 'take', auth, tls }: MailServerOptions = {}) {
  const taken: Taken[] = [];
  const offered: string[] = [];
  const tries = new Map<string, number>();
  const held: (() => void)[] = [];
  const { happened, until } = happenings();

  function answerOf(to: string): Behaviour {
    const attempt = (tries.get(to) ?? 0) + 1;
    tries.set(to, attempt);
    return behaviour(to, attempt);
  }

  async function read(
    stream: SMTPServerDataStream,
    { from, to, secure }: Omit<Taken, 'message'>,
  ): Promise<void> {
    const message = (await buffer(stream)).toString();
    offered.push(message);
    const answer = answerOf(to);
    if (typeof answer === 'number') {
      happened();
      throw refusal(answer, `4.2.2 not now, ${to}`);
    }
    if (answer === 'hold')
      await new Promise<void>((resolve) => {
        held.push(resolve);
        happened();
      });
    taken.push({ from, to, message, secure });
    happened();
  }

  const server = new SMTPServer({
    authOptional: auth === undefined,
    ...(tls
      ? { ...tls, secure: tls.from === 'start' }
      : { disabledCommands: ['STARTTLS'], allowInsecureAuth: true }),
    disableReverseLookup: true,
    closeTimeout: 1,
    onAuth({ username, password }: SMTPServerAuthentication, _session, done) {
      if (auth !== undefined && username === auth.user && password === auth.pass)
        done(null, { user: username });
      else done(refusal(535, `no ${username} ${password}`));
    },
    onRcptTo({ address }, _session, done) {
      if (behaviour(address, 1) === 550) {
        answerOf(address);
        done(refusal(550, `5.1.1 nobody is ${address}`));
      } else done();
    },
    onData(stream, { envelope: { mailFrom, rcptTo }, secure }, done) {
      const from = mailFrom === false ? '' : mailFrom.address;
      callbackify(read)(stream, { from, to: rcptTo[0]?.address ?? '', secure }, done);
    },
  });
  const sockets = new Set<Socket>();
  server.server.on('connection', (socket: Socket) => sockets.add(socket));
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');

  return {
    port: (server.server.address() as AddressInfo).port,
    taken,
    /** Every letter that came whole, taken or not. */
    offered,
    tries,
    /** Letters that wait for an answer of the server. */
    held,
    /** Resolves once this holds, looked at whenever a letter has come. */
    until,
    /** Breaks every connection off, also in the middle of a letter, and is gone. */
    async kill(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      const closed = once(server.server, 'close');
      server.close();
      await closed;
    },
  };
}

function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
