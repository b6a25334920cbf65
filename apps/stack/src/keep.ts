import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { exitCodes, Trouble } from '@portolan/cli';
import { processIdentity } from '@portolan/process';
import { z } from 'zod';
import type { App, Endpoint, Place } from './apps/app.ts';
import { startContained } from './contained.ts';
import type { Contained, Exit } from './contained.ts';

/** An app that is kept running. */
export interface Kept {
  /** Resolves after `stop`; rejects when the app cannot be started, or ends by itself and does not ask to be restarted. */
  readonly ended: Promise<void>;
  readonly stop: () => Promise<void>;
}

/** How long an app is waited for, in milliseconds. */
export interface Patience {
  readonly readyMs: number;
  /** From SIGTERM to SIGKILL. Longer than what the apps themselves give to work in flight. */
  readonly graceMs: number;
}

const usualPatience: Patience = { readyMs: 60_000, graceMs: 15_000 };

/** From one look for an endpoint to the next, in milliseconds. */
const LOOK_MS = 25;

/** How often in a minute an app may ask to be started again. */
const RESTARTS = 5;

/**
 * Starts an app, and starts it again when it ends with exit code 75. `changed` is told its endpoint each time it is ready,
 * and nothing when it no longer is.
 */
export function keepRunning(
  app: App,
  place: Place,
  changed: (endpoint?: Endpoint) => Promise<void>,
  { readyMs, graceMs }: Patience = usualPatience,
): Kept {
  const stopping = new AbortController();
  let current: Contained | undefined;

  const runOnce = async (): Promise<Exit> => {
    const { endpoint, ...command } = await app.prepare(place);
    if (stopping.signal.aborted) return { code: 0, signal: null };
    const env = { ...command.env, ...place.secrets };
    current = await startContained({ ...command, env }, logOf(app, place));
    if (stopping.signal.aborted) await current.end(graceMs);
    const said = await readiness(current, endpoint, readyMs);
    if (said !== undefined) await changed(said);
    const exit = await current.exited;
    await changed();
    return exit;
  };
  const keep = async (): Promise<void> => {
    let restarts: number[] = [];
    for (;;) {
      const exit = await runOnce();
      if (stopping.signal.aborted) return;
      restarts = [...restarts.filter((time) => performance.now() - time < 60_000), performance.now()];
      if (exit.code !== exitCodes.tryAgain || restarts.length > RESTARTS) throw await lost(app, exit, place);
    }
  };
  const ended = keep();
  return {
    ended,
    async stop() {
      stopping.abort();
      await current?.end(graceMs);
      await ended.catch(() => undefined);
    },
  };
}

/** What an app says when it is ready; undefined when it ends before. It is ended when it takes too long. */
async function readiness(running: Contained, file: string, ms: number): Promise<Endpoint | undefined> {
  const over = new AbortController();
  void running.exited.then(() => over.abort());
  const deadline = performance.now() + ms;
  while (!over.signal.aborted) {
    const said = await readEndpoint(file);
    const self = processIdentity(running.pid);
    if (said !== undefined && said.pid === self?.pid && said.startTime === self.startTime) return said;
    if (performance.now() > deadline) {
      await running.end(0);
      throw new Trouble(`It did not say in ${ms / 1000} s that it is ready: ${file} is missing.`);
    }
    await pause(LOOK_MS);
  }
  return undefined;
}

const Said = z.looseObject({ pid: z.int(), startTime: z.number(), origin: z.string() });

/** What the file says; a dead app may have left one that says something else. */
async function readEndpoint(file: string): Promise<Endpoint | undefined> {
  try {
    return Said.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return undefined;
  }
}

const logOf = ({ name }: App, { home }: Place) => join(home.logs, `${name}.log`);

async function lost(app: App, { code, signal }: Exit, place: Place): Promise<Trouble> {
  const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
  const log = logOf(app, place);
  const last = (await readFile(log, 'utf8').catch(() => '')).trimEnd().split('\n').slice(-5);
  return new Trouble(
    [`${app.name} ended ${how}. The end of its log, ${log}:`, ...last].join('\n  '),
    code || exitCodes.failure,
  );
}
