import { setTimeout as pause } from 'node:timers/promises';
import { byAddress, tally, tooMany, type EdgeEnv, type Tally } from '@portolan/http';
import type { Context } from 'hono';
import type { Kysely } from 'kysely';
import type { SiteTables } from '../tables.ts';
import { knownDevice } from './device.ts';
import { triesIn } from './tries.ts';

/** Wrong passwords in five minutes … */
const PER_SECONDS = 300;
/** … from one network, for whatever accounts, */
const OF_NETWORK = 20;
/** from one network for one account, and from one browser that knows the account. */
const OF_ONE = 5;

/** Wrong passwords for one account in an hour, from wherever, that slow nobody down. Each further one doubles the wait. */
const FREE = 20;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 8000;

/**
 * Holds down the guessing of passwords over all nodes, so that knowing an address is not enough to keep its person out: a network
 * is refused, an account is only slowed down, and a browser in which the account has signed in before is counted by itself.
 */
export function limitGuesses(db: Kysely<SiteTables>, deviceKey: Buffer) {
  const lasting = (name: string, perSeconds: number) => tally({ name, perSeconds, store: triesIn(db) });
  const ofNetwork = lasting('login-network', PER_SECONDS);
  const ofBoth = lasting('login-account-network', PER_SECONDS);
  const ofDevice = lasting('login-device', PER_SECONDS);
  const ofAccount = lasting('login-account', 3600);

  /**
   * Counts a try as a wrong one before it is made, since many may come at once, and resolves when it may be made; with how to take it
   * back when the password was right. Throws a 429 for too many.
   */
  return async (c: Context<EdgeEnv>, account: string): Promise<() => Promise<void>> => {
    const device = knownDevice(c, deviceKey, account);
    if (device !== undefined) {
      await spend(ofDevice, device, OF_ONE);
      return () => ofDevice.takeBack(device);
    }
    const network = byAddress(c);
    const both = `${network} ${account}`;
    await spend(ofNetwork, network, OF_NETWORK);
    await spend(ofBoth, both, OF_ONE).catch(async (refusal: unknown) => {
      // Refused unheard, it guessed nothing: who goes on knocking at one account shuts out nobody else.
      await ofNetwork.takeBack(network);
      throw refusal;
    });
    const { count } = await ofAccount.add(account);
    if (count > FREE) await pause(Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (count - FREE - 1)));
    return async () => {
      const counted = [ofNetwork.takeBack(network), ofBoth.takeBack(both), ofAccount.takeBack(account)];
      await Promise.all(counted);
    };
  };
}

async function spend(of: Tally, key: string, most: number): Promise<void> {
  const { count, restMs } = await of.add(key);
  if (count > most) throw tooMany(restMs);
}
