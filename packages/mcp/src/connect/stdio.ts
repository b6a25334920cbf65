import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { LaunchError, processScopes, Unsupported, type Exit, type Scope } from '@portolan/process';
import { setTimeout as pause } from 'node:timers/promises';
import { newEnd, phaseAfter, type Channel, type End } from './channel.ts';
import { newConversation, type Conversation } from './conversation.ts';
import type { StdioDefinition } from './definition.ts';
import { ConnectionFailure, type Phase } from './errors.ts';
import { LIMITS } from './limits.ts';
import { keepTail, secretsOf } from './stderr.ts';

/**
 * How long the exit of a process may come after the end of its stdout, in milliseconds: an exit tells more, and a busy machine
 * tells of it late.
 */
const EXIT_AFTER_MS = 2_000;

/** Starts the process and answers the channel over its stdin and stdout. Throws `ConnectionFailure`. */
export async function openStdio(definition: StdioDefinition): Promise<Channel> {
  const scope = await launch(definition);
  const tail = keepTail(scope.stderr, secretsOf(definition.env));
  const conversation = newConversation();
  let phase: Phase = 'spawn';
  let transport: Transport | undefined;

  const end = newEnd(async (grace) => {
    const containment = await scope.end({ grace });
    transport?.onclose?.();
    return containment;
  });
  listen(scope, conversation, end, (message) => transport?.onmessage?.(message));

  const send = async (message: JSONRPCMessage) => {
    if (end.failure) throw end.failure;
    phase = phaseAfter(phase, message);
    conversation.say(message);
    write(scope, message, end);
  };

  return {
    pid: scope.pid,
    exclusive: true,
    get phase() {
      return phase;
    },
    get failure() {
      return end.failure;
    },
    ending: end.ending,
    ended: end.ended,
    end: end.end,
    attach() {
      const attached: Transport = {
        start: async () => undefined,
        send,
        async close() {
          if (transport !== attached) return;
          transport = undefined;
          attached.onclose?.();
        },
      };
      transport = attached;
      return attached;
    },
    started: () => tail.forget(),
    get stderr() {
      return tail.text();
    },
  };
}

async function launch({ command, args, env, cwd }: StdioDefinition): Promise<Scope> {
  try {
    const scopes = await processScopes();
    return await scopes.start({ command, args, env, cwd });
  } catch (cause) {
    if (!(cause instanceof LaunchError || cause instanceof Unsupported)) throw cause;
    const reason = cause.message.replace(/\.$/, '');
    throw new ConnectionFailure('launch_failed', { reason, phase: 'spawn', effects: 'none', cause });
  }
}

/** Hears the peer until the channel ends, and ends it when the peer is gone. */
function listen(
  scope: Scope,
  conversation: Conversation,
  end: End,
  deliver: (message: JSONRPCMessage) => void,
): void {
  scope.stdout.on('data', (chunk: Buffer) => {
    if (end.failure) return;
    const { messages, fault } = conversation.hear(chunk);
    for (const message of messages) deliver(message);
    if (fault) void end.end(fault, LIMITS.graceFailed);
  });
  scope.stdout.once('end', () => void leave(scope, end, conversation.unfinished));
  // What the command left behind may hold its stdout open: end that, and stdout ends.
  void scope.exited.then(() => scope.end({ grace: 0 }));
}

function write(scope: Scope, message: JSONRPCMessage, end: End): void {
  scope.stdin.write(`${JSON.stringify(message)}\n`, (error) => {
    if (error) void leave(scope, end, 0);
  });
  if (scope.stdin.writableLength > LIMITS.unread) {
    void end.end(
      new ConnectionFailure('unreachable', { reason: 'it does not read its stdin' }),
      LIMITS.graceFailed,
    );
  }
}

/** The peer is gone, or has closed its side: says how it ended, if it did. */
async function leave(scope: Scope, end: End, unfinished: number): Promise<void> {
  const exit = await Promise.race([scope.exited, pause(EXIT_AFTER_MS, undefined, { ref: false })]);
  const failure =
    unfinished > 0
      ? new ConnectionFailure('bad_stdout', { reason: 'it ends within a line' })
      : new ConnectionFailure('peer_exited', {
          reason: exit ? spell(exit) : 'it closed its stdin or stdout',
        });
  await end.end(failure, LIMITS.graceFailed);
}

function spell({ code, signal }: Exit): string {
  return signal ? `by ${signal}` : `with exit code ${code}`;
}
