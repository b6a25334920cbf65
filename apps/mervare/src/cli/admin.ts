import { UsageError } from '@portolan/cli';
import type { Config } from '../config.ts';
import { withDatabase } from '../database.ts';
import { createAccount, setPassword } from '../people/accounts.ts';
import { newPassword } from '../people/password.ts';
import { operator } from './operator.ts';
import type { Terminal } from './terminal.ts';

interface Flags {
  /** Ask for the password instead of making one. */
  readonly ask?: boolean;
}

/** `mervare admin create`: makes a super admin, and prints the password once unless it was asked for. */
export async function createAdmin(
  email: string,
  { ask, name = email }: Flags & { readonly name?: string },
  config: Config,
  terminal: Terminal,
): Promise<void> {
  const password = await choosePassword(ask, terminal);
  const account = { email, name, password, isSuperAdmin: true };
  await withDatabase(config, ({ store }) =>
    createAccount(store.db, account, { by: operator, now: Date.now() }),
  );
  terminal.print(`Made the super admin ${email}.`);
  if (!ask) printOnce(password, terminal);
}

/** `mervare admin password`: sets the password of an account and ends its sessions. */
export async function changePassword(
  email: string,
  { ask }: Flags,
  config: Config,
  terminal: Terminal,
): Promise<void> {
  const password = await choosePassword(ask, terminal);
  await withDatabase(config, ({ store }) =>
    setPassword(store.db, email, password, { by: operator, now: Date.now() }),
  );
  terminal.print(`Set the password of ${email}. Every session of this account has ended.`);
  if (!ask) printOnce(password, terminal);
}

/** A made password goes to a person's eyes only: what is piped ends in files and logs. */
async function choosePassword(ask: boolean | undefined, terminal: Terminal): Promise<string> {
  if (ask) return terminal.readSecret('Password: ');
  if (terminal.isTerminal) return newPassword();
  throw new UsageError('Nobody reads a made password here: give one on standard input, with --ask.');
}

function printOnce(password: string, { print }: Terminal): void {
  print(`Password: ${password}`);
  print('It is not kept and not shown again.');
}
