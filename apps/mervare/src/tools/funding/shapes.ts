import { Untrusted } from '@portolan/mcp/tool';
import { z } from 'zod';
import type { Resource } from '../../funding/resources.ts';
import { RESOURCE_KINDS, RESOURCE_STATUSES } from '../../funding/tables.ts';
import { present } from '../present.ts';
import { Day, Id, OptionalUntrusted, Version, written } from '../shapes.ts';

/** What the funding tools share. */
export const WorkspaceId = Id.describe('From funding_workspace_list');
export const ResourceId = Id.describe('From funding_resource_list');

export const Kind = z.enum(RESOURCE_KINDS);
export const Status = z.enum(RESOURCE_STATUSES);

export const WorkspaceShown = z.object({ ...written, name: Untrusted, purpose: Untrusted });

export const ResourceShown = z.object({
  ...written,
  workspace: Id,
  kind: Kind,
  status: Status,
  version: Version,
  name: Untrusted,
  url: OptionalUntrusted,
  summary: OptionalUntrusted,
  amountEur: z.number().optional(),
  deadline: Day.optional(),
});

/** A resource as answers show it. */
export function showResource(resource: Resource) {
  return present(resource, 'name', 'url', 'summary');
}
