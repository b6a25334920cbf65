import { newEnd, phaseAfter, type Channel } from './channel.ts';
import type { HttpDefinition } from './definition.ts';
import type { Phase } from './errors.ts';
import { openWeb } from './fetch.ts';
import { newWire, type Wire } from './wire.ts';

/** Answers the channel to an HTTP endpoint. Nothing is sent yet. `isOurs` refuses addresses of our own listeners. */
export function openHttp(
  definition: HttpDefinition,
  isOurs?: (address: string, port: number) => boolean,
): Channel {
  const web = openWeb(isOurs);
  let phase: Phase = 'initialize';
  let current: Wire | undefined;

  const end = newEnd(async () => {
    if (end.failure?.code === 'closed') await current?.leave();
    await current?.transport.close();
    await web.close();
    return { contained: true };
  });

  return {
    pid: undefined,
    exclusive: false,
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
      current = newWire(definition, web, end, (message) => {
        phase = phaseAfter(phase, message);
      });
      return current.transport;
    },
    started: () => undefined,
    stderr: undefined,
  };
}
