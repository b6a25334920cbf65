import { personalCaller, type Credential, type SiteCaller } from './caller.ts';
import type { Door } from './resolve.ts';
import type { Personal, PersonalText } from './lookups.ts';

/** Who comes with what was presented. */
export interface Arrival {
  /** The caller with the rights of this moment; undefined where nobody is let in. */
  readonly caller: Promise<SiteCaller | undefined>;
  /** Who was let in with it a moment ago: the very object that `caller` gives again where nothing has changed since. */
  readonly expected?: SiteCaller | undefined;
}

/** Somebody who was let in, and the word of the database on which it was. */
interface Known {
  readonly word: PersonalText;
  readonly caller: SiteCaller;
  /** When the credential ends, epoch milliseconds. */
  readonly ends: number;
}

/** For how long after somebody was let in the same one is expected, milliseconds. */
const EXPECTED_MS = 5_000;

/** How many are remembered. */
const MOST = 1_000;

/**
 * The people behind one kind of credential at a door, by its hash. The database is asked with every call. Its word is read only where it
 * differs from the last one: what is remembered tells who is likely to come, never who may.
 */
export function personalCallers(
  kind: Credential,
  find: (hash: Buffer) => Promise<PersonalText | undefined>,
  door: Door,
  now: () => number,
): (hash: Buffer) => Arrival {
  const recent = new Map<string, Known & { readonly at: number }>();

  async function certain(hash: Buffer, key: string): Promise<SiteCaller | undefined> {
    const word = await find(hash);
    const at = now();
    const last = recent.get(key);
    recent.delete(key);
    if (word === undefined) return undefined;
    const { caller, ends } = last?.word === word ? last : read(kind, word, door);
    if (ends <= at || !admitted(door, caller)) return undefined;
    recent.set(key, { word, caller, ends, at });
    if (recent.size > MOST) recent.delete(recent.keys().next().value ?? '');
    return caller;
  }

  return (hash) => {
    const key = hash.toString('hex');
    const last = recent.get(key);
    const at = now();
    const expected = last && at < last.ends && at - last.at < EXPECTED_MS ? last.caller : undefined;
    return { expected, caller: certain(hash, key) };
  };
}

function read(kind: Credential, word: PersonalText, { offered }: Door): Known {
  const { hash: _hash, ends, audience, carried, ...person } = JSON.parse(word) as Personal;
  const caller = personalCaller({ kind, audience, carried, offered }, person);
  return { word, caller, ends: Date.parse(ends) };
}

/** The caller, where what was presented is for this door and of a kind that it takes. */
export function admitted({ audience, takes }: Door, caller: SiteCaller | undefined): SiteCaller | undefined {
  return caller?.audience === audience && takes.includes(caller.kind) ? caller : undefined;
}
