import { Refusal, Untrusted } from '@portolan/mcp/tool';
import { z } from 'zod';
import { addContact, listContacts, moveContact } from '../../agents/contacts.ts';
import { CONTACT_STAGES } from '../../agents/tables.ts';
import { actorId } from '../../audit/actor.ts';
import { tool } from '../../mcp/tool.ts';
import { change } from '../change.ts';
import { present } from '../present.ts';
import {
  Cursor,
  ExpectedVersion,
  Id,
  IdempotencyKey,
  Limit,
  NextCursor,
  OptionalUntrusted,
  Text,
  Time,
  Version,
  written,
} from '../shapes.ts';
import { control } from './shapes.ts';

const Stage = z.enum(CONTACT_STAGES);
const ContactShown = z.object({
  ...written,
  name: Untrusted,
  organisation: OptionalUntrusted,
  stage: Stage,
  note: OptionalUntrusted,
  updatedAt: Time,
  version: Version,
});

export const agentContactPipelineList = tool('agent_contact_pipeline_list', {
  title: 'List the contact pipeline',
  says: 'Whom the agents are in contact with and how far they are, the newest first.',
  access: control,
  effect: 'reads',
  input: z.strictObject({ stage: Stage.optional(), limit: Limit, cursor: Cursor }),
  output: z.object({ contacts: z.array(ContactShown), nextCursor: NextCursor }),
  example: { stage: 'talking' },
}).run(async ({ stage, ...paging }, { deps }) => {
  const { rows, ...page } = await listContacts(deps.db, { stage }, paging);
  return { contacts: rows.map((row) => present(row, 'name', 'organisation', 'note')), ...page };
});

export const agentContactPipelineUpsert = change('agent_contact_pipeline_upsert', {
  title: 'Enter or move a contact',
  says: 'Enters a new contact by name, or moves the one with contactId and expectedVersion as you read it. A conflict says the current version.',
  access: control,
  effect: 'writes',
  input: z.strictObject({
    contactId: Id.optional().describe('From agent_contact_pipeline_list'),
    expectedVersion: ExpectedVersion.optional(),
    name: Text(200).optional().describe('Of a new contact'),
    organisation: Text(200).optional(),
    stage: Stage,
    note: Text(4000).optional(),
    idempotencyKey: IdempotencyKey,
  }),
  output: ContactShown,
  example: { name: 'Harbour master of Kuressaare', stage: 'lead' },
}).run(async ({ contactId, expectedVersion, name, ...given }, { tx, caller, now }) => {
  const { organisation = null, stage, note = null } = given;
  const state = { organisation, stage, note };
  const by = actorId(caller);
  if (contactId === undefined && expectedVersion === undefined && name !== undefined)
    return changed(await addContact(tx, by, { name, ...state }, now));
  if (contactId !== undefined && expectedVersion !== undefined && name === undefined)
    return changed(await moveContact(tx, by, { id: contactId, expectedVersion, ...state }, now));
  throw new Refusal('invalid_input', 'Give a name, or contactId and expectedVersion.');
});

function changed(contact: Awaited<ReturnType<typeof addContact>>) {
  return { answer: present(contact, 'name', 'organisation', 'note'), ids: [contact.id] };
}
