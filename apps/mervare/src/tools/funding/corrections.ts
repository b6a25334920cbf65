import { Refusal } from '@portolan/mcp/tool';
import { z } from 'zod';
import { correct, setStatus, type Fact } from '../../funding/corrections.ts';
import type { ResourceFacts } from '../../funding/resources.ts';
import { change } from '../change.ts';
import { ExpectedVersion, IdempotencyKey, Text } from '../shapes.ts';
import { memberOf, opens } from './access.ts';
import { facts, FIELDS } from './facts.ts';
import { ResourceId, ResourceShown, showResource, Status } from './shapes.ts';

export const fundingResourceStatusUpdate = change('funding_resource_status_update', {
  title: 'Move a funding resource on',
  says: 'Sets how far the company is with a resource. A conflict says the current version.',
  access: opens('funding_resource_status_update'),
  effect: 'writes',
  input: z.strictObject({
    resourceId: ResourceId,
    status: Status,
    expectedVersion: ExpectedVersion,
    idempotencyKey: IdempotencyKey,
  }),
  output: ResourceShown,
  example: { resourceId: '0198c5c8-2a00-7000-8000-000000000002', status: 'shortlisted', expectedVersion: 1 },
}).run(async ({ resourceId, status, expectedVersion }, { tx, caller, now }) => {
  const wanted = { resource: resourceId, status, expectedVersion };
  const resource = await setStatus(tx, memberOf(caller), wanted, now);
  return { answer: showResource(resource), ids: [resourceId, resource.workspace] };
});

/** The facts that a resource may be without. */
const MAY_BE_MISSING: readonly string[] = ['url', 'summary', 'amountEur', 'deadline'];

export const fundingResourceCorrect = change('funding_resource_correct', {
  title: 'Correct a funding resource',
  says: 'Puts one fact of a resource right, or takes it away with null. The old value stays on record with why. A conflict says the current version.',
  access: opens('funding_resource_correct'),
  effect: 'writes',
  input: z.strictObject({
    resourceId: ResourceId,
    field: z.enum(FIELDS),
    value: z.union([Text(4000), z.number(), z.null()]).describe('As funding_resource_create takes the field'),
    why: Text(2000),
    expectedVersion: ExpectedVersion,
    idempotencyKey: IdempotencyKey,
  }),
  output: ResourceShown,
  example: {
    resourceId: '0198c5c8-2a00-7000-8000-000000000002',
    field: 'amountEur',
    value: 300_000,
    why: 'The call was raised in May',
    expectedVersion: 2,
  },
}).run(async ({ resourceId, field, value, why, expectedVersion }, { tx, caller, now }) => {
  const wanted = { resource: resourceId, expectedVersion, fact: factOf(field, value), why };
  const resource = await correct(tx, memberOf(caller), wanted, now);
  return { answer: showResource(resource), ids: [resourceId, resource.workspace] };
});

function factOf(field: keyof ResourceFacts, value: string | number | null): Fact {
  const allowed = MAY_BE_MISSING.includes(field) ? facts[field].nullable() : facts[field];
  const read = allowed.safeParse(value);
  if (read.success) return { field, value: read.data } as Fact;
  throw new Refusal('invalid_input', `${field} cannot be this: ${read.error.issues[0]?.message}.`);
}
