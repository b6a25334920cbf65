import type { Transport } from '@modelcontextprotocol/client';
import type { Containment } from '@portolan/process';
import type { ConnectionFailure, Phase } from './errors.ts';

/** How a channel ended. */
export interface Ending {
  readonly failure: ConnectionFailure;
  /** What is proven about local processes. */
  readonly containment: Containment;
}

/** The way to one server: one process, or one HTTP session. It ends once. */
export interface Channel {
  /** The process; undefined over HTTP. */
  readonly pid: number | undefined;
  /** One exchange at a time, and an exchange can only be broken off by ending the channel. */
  readonly exclusive: boolean;
  /** The last thing that was undertaken. */
  readonly phase: Phase;
  /** What ended it; undefined while it works. */
  readonly failure: ConnectionFailure | undefined;
  /** Settles as soon as it is about to end: nothing more is sent. Never rejects. */
  readonly ending: Promise<ConnectionFailure>;
  /** Settles when it has ended and all processes were looked for. Never rejects. */
  readonly ended: Promise<Ending>;
  /** A transport for one SDK client. Closing it leaves the channel as it is. */
  attach(): Transport;
  /** Ends it and waits for that. The first failure is the one that counts; a later call tries what is left again. */
  end(failure: ConnectionFailure, grace: number): Promise<Ending>;
  /** Lets go of what is kept only during a start. */
  started(): void;
  /** The last that the peer wrote to stderr during the start, redacted. */
  readonly stderr: string | undefined;
}

/** The single end of a channel. */
export type End = Pick<Channel, 'failure' | 'ending' | 'ended' | 'end'>;

/** Makes an end that `finish` carries out once, whoever asks first; and again while processes are left. */
export function newEnd(finish: (grace: number) => Promise<Containment>): End {
  let failure: ConnectionFailure | undefined;
  let current: Promise<Ending>;
  let settle: (ending: Promise<Ending>) => void;
  let announce: (failure: ConnectionFailure) => void;
  const ending = new Promise<ConnectionFailure>((resolve) => {
    announce = resolve;
  });
  const ended = new Promise<Ending>((resolve) => {
    settle = resolve;
  });
  const begin = async (first: ConnectionFailure, grace: number): Promise<Ending> => {
    const unproven = (cause: unknown): Containment => ({ contained: false, pids: [], cause });
    return { failure: first, containment: await finish(grace).catch(unproven) };
  };
  return {
    get failure() {
      return failure;
    },
    ending,
    ended,
    end(asked, grace) {
      if (failure) {
        const first = failure;
        current = current.then((last) => (last.containment.contained ? last : begin(first, grace)));
      } else {
        // Known before anything is done about it: nothing more is sent.
        failure = asked;
        announce(asked);
        current = begin(asked, grace);
        settle(current);
      }
      return current;
    },
  };
}

const PHASES: Readonly<Record<string, Phase>> = {
  initialize: 'initialize',
  'notifications/initialized': 'initialized',
  'server/discover': 'server/discover',
  'tools/list': 'tools/list',
};

/** The phase that a start enters with a message; `before` when it enters none. */
export function phaseAfter(before: Phase, message: object): Phase {
  return ('method' in message && PHASES[String(message.method)]) || before;
}
