import { rm } from 'node:fs/promises';
import type { App, Endpoint, Place, Told } from './apps/app.ts';
import { keepRunning } from './keep.ts';
import { writePrivate } from './private-file.ts';

/** All apps, running. */
export interface Stack {
  /** What is told of each app by its name, once all are ready for the first time. */
  readonly ready: Promise<Readonly<Record<string, Told>>>;
  /** Resolves after `stop`. When an app is lost it ends the others, then rejects. */
  readonly ended: Promise<void>;
  /** Ends the apps, the last of the list first. */
  readonly stop: () => Promise<void>;
}

/** Starts the apps together and keeps them. While all are ready, and only then, `file` says what runs where. */
export function startStack(apps: readonly App[], placeOf: (app: App) => Place, file: string): Stack {
  let tellFirst: (told: Record<string, Told>) => void = () => {};
  const ready = new Promise<Record<string, Told>>((resolve) => (tellFirst = resolve));
  const publish = publisher(file, (all) => tellFirst(all));
  const told = new Map<string, Told>();
  const changed = ({ name, tell }: App, place: Place, endpoint?: Endpoint) => {
    if (endpoint === undefined) told.delete(name);
    else told.set(name, tell(endpoint, place));
    const all = apps.flatMap((app) => [...told].filter(([one]) => one === app.name));
    return publish(all.length === apps.length ? Object.fromEntries(all) : undefined);
  };

  const kept = apps.map((app) => {
    const place = placeOf(app);
    return keepRunning(app, place, (endpoint) => changed(app, place, endpoint));
  });
  const stop = async () => {
    for (const app of kept.toReversed()) await app.stop();
  };
  const ended = Promise.all(kept.map((app) => app.ended)).then(
    () => undefined,
    async (reason: unknown) => {
      await stop();
      throw reason;
    },
  );
  return { ready, ended, stop };
}

/** Writes what is told, or removes it, one change after the other. */
function publisher(file: string, written: (told: Record<string, Told>) => void) {
  // One that was killed may have left a file.
  let last = rm(file, { force: true });
  return (told: Record<string, Told> | undefined): Promise<void> => {
    const write = async () => {
      if (told === undefined) return rm(file, { force: true });
      const facts = Object.entries(told).map(([name, app]) => [name, app.facts]);
      await writePrivate(file, { ...Object.fromEntries(facts), pid: process.pid });
      written(told);
    };
    return (last = last.then(write));
  };
}
