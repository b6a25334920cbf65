import { Refusal } from '@portolan/mcp/tool';
import type { Kysely, Transaction } from 'kysely';
import { enqueueMail } from '../mail/outbox.ts';
import { letterStates, type LetterStanding } from '../mail/state.ts';
import type { SiteTables } from '../tables.ts';
import { contextFaults } from './context-faults.ts';
import { readContext, type ContextText } from './contexts.ts';
import { requirePublished, type EditionKey } from './editions.ts';
import { requireNone } from './fault.ts';
import { createInvitation, holdInvitation, readInvitation, type Invitation } from './invitations.ts';
import { requireUninvited } from './invited.ts';
import { fillFaults, harbourNames, lengthFaults, letterKey, writeLetter, type Letter } from './letters.ts';
import { issueLink } from './links.ts';
import { takeTemplate, type Template } from './templates.ts';

/** Who sends, when, and where the links lead. */
export interface Sending {
  readonly by: string;
  /** Of the site: links begin with it. */
  readonly origin: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Somebody to be invited by mail. */
export interface Invitee extends EditionKey {
  readonly template: string;
  readonly context: string;
  readonly expiresAt: Date | null;
}

/**
 * Invites somebody and queues the letter. Throws a Refusal that names every fault of the letter, while the edition is not published, and
 * where the addressee has an invitation already.
 */
export async function inviteByMail(
  tx: Transaction<SiteTables>,
  { template: id, context: contextId, expiresAt, ...key }: Invitee,
  sending: Sending,
): Promise<Invitation> {
  await requirePublished(tx, key);
  const context = await readContext(tx, contextId);
  const letter = await letterTo(tx, await takeTemplate(tx, { id }, sending.now), context);
  await requireUninvited(tx, key, context.email, sending.now);
  return deliver(tx, letter, { ...key, context: contextId, batch: null, expiresAt }, sending);
}

/** The letter of an invitation. */
export interface LetterAsked {
  readonly invitation: string;
  readonly template: string;
  /** Facts about the addressee, where the invitation has none or others. */
  readonly context?: string | undefined;
}

/** Queues the letter of an invitation that has none yet. Throws a Refusal as `inviteByMail` does, and for one that is over. */
export async function sendInvitation(
  tx: Transaction<SiteTables>,
  { invitation: id, template, context }: LetterAsked,
  { origin, now }: Sending,
): Promise<Invitation> {
  const invitation = await holdInvitation(tx, id, now);
  if (invitation.state !== 'unopened' && invitation.state !== 'opened')
    throw new Refusal('conflict', `It is ${invitation.state}.`, { state: invitation.state });
  const letters = await letterStates(tx, [letterKey(id)]);
  for (const { state } of letters.values())
    throw new Refusal('conflict', `It has its letter, which is ${state}.`, { letter: state });
  await requirePublished(tx, invitation);
  const known = await knownOf(tx, invitation, context);
  requireNone(await contextFaults(tx, known), 'The addressee has faults:');
  const letter = await letterTo(tx, await takeTemplate(tx, { id: template }, now), known);
  await post(tx, { invitation: id, letter, origin }, now);
  return invitation;
}

/** What is known of somebody who was invited: name, address and language as in the invitation, the rest from a context of the same address. */
async function knownOf(
  db: Kysely<SiteTables>,
  { context, email, name, language }: Invitation,
  given: string | undefined,
): Promise<ContextText> {
  if (email === null) throw new Refusal('conflict', 'The invitation has no address to send it to.');
  const id = given ?? context;
  const found = id === null ? undefined : await readContext(db, id);
  if (found && found.email.toLowerCase() !== email.toLowerCase())
    throw new Refusal('conflict', 'The context is of another address than the invitation.');
  const { harbour = null, facts = {} } = found ?? {};
  return { email, person: name ?? '', language, harbour, facts };
}

/** Makes the invitation of a letter, and queues the letter with a link of its own. */
export async function deliver(
  tx: Transaction<SiteTables>,
  letter: Letter,
  about: EditionKey & Pick<Invitation, 'context' | 'batch' | 'expiresAt'>,
  { by, origin, now }: Sending,
): Promise<Invitation> {
  const { person: name, addressee: email, language } = letter;
  const invitation = await createInvitation(tx, by, { ...about, name, email, language }, now);
  await post(tx, { invitation: invitation.id, letter, origin }, now);
  return invitation;
}

async function post(
  tx: Transaction<SiteTables>,
  {
    invitation,
    letter,
    origin,
  }: { readonly invitation: string; readonly letter: Letter; readonly origin: string },
  now: number,
): Promise<void> {
  const link = await issueLink(tx, { invitation, origin });
  const { addressee: to, subject, body } = letter;
  await enqueueMail(
    tx,
    { lane: 'survey', key: letterKey(invitation), to, subject, text: body.join(link) },
    now,
  );
}

async function letterTo(db: Kysely<SiteTables>, template: Template, context: ContextText): Promise<Letter> {
  requireNone(fillFaults(template, context), 'The letter cannot be written:');
  const letter = writeLetter(template, context, await harbourNames(db, [context]));
  requireNone(lengthFaults(letter), 'The letter cannot be sent:');
  return letter;
}

/** An invitation, and where its letter stands; there may be none. */
export async function invitationStanding(
  db: Kysely<SiteTables>,
  id: string,
  now: number,
): Promise<{ readonly invitation: Invitation; readonly letter: LetterStanding | undefined }> {
  const invitation = await readInvitation(db, id, now);
  const letters = await letterStates(db, [letterKey(id)]);
  return { invitation, letter: letters.get(letterKey(id)) };
}
