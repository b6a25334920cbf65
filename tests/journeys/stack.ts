import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isSameProcess, processIdentity } from '@portolan/process';
import type { ProcessIdentity } from '@portolan/process';
import { childrenOf } from '@portolan/process/testing';
import { root } from '../workspace.ts';

/** What `stack.json` says. */
export interface StackJson {
  readonly mervare: { readonly origin: string };
  readonly sveda: { readonly origin: string };
  readonly saivage: { readonly origin: string; readonly analystUrl: string };
  readonly pid: number;
}

/** A stack that has said that it is ready. */
export interface RunningStack {
  readonly pid: number;
  readonly printed: () => string;
  readonly complained: () => string;
  /** Its exit code, or the signal that killed it. */
  readonly ended: Promise<number | NodeJS.Signals>;
  readonly end: (signal: NodeJS.Signals) => Promise<number | NodeJS.Signals>;
  /** Presses Ctrl-C: the whole process group of a terminal gets the signal. */
  readonly interrupt: () => Promise<number | NodeJS.Signals>;
  /** Ends it if it runs and removes its home. */
  readonly destroy: () => Promise<void>;
}

export function temporaryHome(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'portolan-'));
}

/** Starts what `npm start` starts, with free ports, and waits until it is ready. */
export async function startStack(home: string): Promise<RunningStack> {
  const { child, printed, complained, ended } = launch(home, ['start']);
  let over = false;
  void ended.then(() => (over = true));
  while (!printed().includes('\nCtrl-C ends everything.\n')) {
    await Promise.race([once(child.stdout, 'data'), ended]);
    if (over) throw new Error(`The stack ended: ${printed()}${complained()}`);
  }
  return {
    pid: child.pid ?? 0,
    printed,
    complained,
    ended,
    end(signal) {
      child.kill(signal);
      return ended;
    },
    interrupt() {
      process.kill(-(child.pid ?? 0), 'SIGINT');
      return ended;
    },
    async destroy() {
      child.kill('SIGTERM');
      await ended;
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** Runs one command line of the stack to its end. */
export async function runStack(home: string, command: string, ...more: (string | Record<string, string>)[]) {
  const flags = more.filter((one) => typeof one === 'string');
  const variables = more.filter((one) => typeof one === 'object');
  const { ended, printed, complained } = launch(home, [command, ...flags], Object.assign({}, ...variables));
  return { code: await ended, printed: printed(), complained: complained() };
}

function launch(home: string, args: readonly string[], variables: Record<string, string> = {}) {
  const free = { MERVARE_PORT: '0', SVEDA_PORT: '0', SAIVAGE_PORT: '0', SAIVAGE_ANALYST_PORT: '0' };
  const child = spawn(process.execPath, [join(root, 'apps/stack/bin/stack.mjs'), ...args], {
    env: { ...process.env, ...free, ...variables, PORTOLAN_HOME: home, UNRELATED_KEY: 'of the person' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const texts = { printed: '', complained: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.printed += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.complained += text));
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals);
  return { child, ended, printed: () => texts.printed, complained: () => texts.complained };
}

/** A process that has to do with a home. */
export interface Found {
  readonly pid: number;
  readonly command: string;
  readonly environment: readonly string[];
}

/** Every process that names a home in its command line or environment, or works in it. Looks at all of /proc. */
export function livingIn(home: string): Found[] {
  return pids().flatMap((pid) => {
    const [command, environment] = [read(pid, 'cmdline'), read(pid, 'environ')];
    const isOne = [command, environment, folder(pid)].some((text) => text.includes(home));
    return isOne
      ? [{ pid, command: command.replaceAll('\0', ' '), environment: environment.split('\0') }]
      : [];
  });
}

/** A process and all that descend from it now, told apart from any later ones with their pids. */
export function familyOf(pid: number): ProcessIdentity[] {
  return [processIdentity(pid) ?? [], childrenOf(pid).flatMap(familyOf)].flat();
}

/** Those that still live. */
export function living(family: readonly ProcessIdentity[]): number[] {
  return family.filter(isSameProcess).map(({ pid }) => pid);
}

function pids(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

function folder(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}

/** What the `stack.json` of a ready stack says. */
export async function stackJson(home: string): Promise<StackJson> {
  return JSON.parse(await readFile(join(home, 'stack.json'), 'utf8')) as StackJson;
}
