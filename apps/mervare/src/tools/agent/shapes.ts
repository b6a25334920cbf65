import { needs, Untrusted, type Access } from '@portolan/mcp/tool';
import { z } from 'zod';
import { HANDOFF_STATES, HYPOTHESIS_STATUSES, STANCES } from '../../agents/tables.ts';
import type { Grant, Scope } from '../../mcp/vocabulary.ts';
import { Count, Id, OptionalUntrusted, Time, Version, Text, written } from '../shapes.ts';

/** Those who share the whole control plane. */
export const control: Access<Scope, Grant> = needs('control');

/** They, and builder credentials, which reach nothing else of it. */
export const addressees: Access<Scope, Grant> = needs('control', { scope: 'builder', grant: 'builder' });

export const HypothesisId = Id.describe('From agent_hypothesis_list');
export const Status = z.enum(HYPOTHESIS_STATUSES);
export const Stance = z.enum(STANCES);

export const HypothesisShown = z.object({
  ...written,
  statement: Untrusted,
  status: Status,
  confidence: z.number(),
  evidenceFor: Count,
  evidenceAgainst: Count,
  version: Version,
});

export const HandoffShown = z.object({
  ...written,
  addressee: z.string(),
  title: Untrusted,
  body: Untrusted,
  state: z.enum(HANDOFF_STATES),
  leaseUntil: Time.optional(),
  result: OptionalUntrusted,
  endedAt: Time.optional(),
  version: Version,
});

/** The same, with the ids of what it rests on: for those who may read that. */
export const GroundedHandoffShown = HandoffShown.extend({
  hypothesisId: Id.optional(),
  evidenceIds: z.array(Id),
});

export const Addressee = Text(300).describe(
  'kind:name as in by: control_token:planner, builder_token:ci, oauth:anna@example.org',
);
