import type { ColumnType } from 'kysely';
import type { GrantRole } from './roles.ts';

export const RESOURCE_KINDS = ['grant', 'loan', 'equity', 'programme', 'other'] as const;
export type ResourceKind = (typeof RESOURCE_KINDS)[number];

export const RESOURCE_STATUSES = [
  'new',
  'reviewing',
  'shortlisted',
  'applying',
  'submitted',
  'awarded',
  'declined',
  'dropped',
] as const;
export type ResourceStatus = (typeof RESOURCE_STATUSES)[number];

type Instant = ColumnType<Date, Date, Date>;

/** Who wrote a row, and when. */
interface Written {
  readonly id: string;
  readonly by: string;
  readonly at: Instant;
}

interface AboutResource extends Written {
  readonly workspace: string;
  readonly resource: string;
}

/** The funding workspaces: what may fund the company, and what people and agents think and do about it. */
export interface FundingTables {
  funding_workspace: Written & { readonly name: string; readonly purpose: string };
  funding_resource: Written & {
    readonly workspace: string;
    kind: ResourceKind;
    name: string;
    url: string | null;
    summary: string | null;
    amount_eur: number | null;
    /** Day, ISO 8601. */
    deadline: string | null;
    status: ResourceStatus;
    version: number;
  };
  /** What a resource said before it was put right, and why. */
  funding_correction: Written & {
    readonly resource: string;
    readonly field: string;
    readonly old_value: ColumnType<unknown, string, never>;
    readonly new_value: ColumnType<unknown, string, never>;
    readonly why: string;
  };
  funding_comment: AboutResource & { readonly text: string };
  funding_assessment: AboutResource & { readonly score: number; readonly text: string };
  funding_action: AboutResource & {
    readonly title: string;
    readonly rationale: string;
    decision: 'approved' | 'rejected' | null;
    reason: string | null;
    decided_by: string | null;
    decided_at: Instant | null;
  };
  /** Access to one workspace: of a person, or of whoever has the secret. */
  funding_grant: Written & {
    readonly workspace: string;
    readonly role: GrantRole;
    readonly name: string;
    readonly person: string | null;
    /** SHA-256 of a secret of 256 random bits. */
    readonly secret_hash: Buffer | null;
    revoked_by: string | null;
    revoked_at: Instant | null;
  };
  /** One row. Every write takes it in share mode, so that a pause waits for those under way and stops all later ones. */
  funding_switch: {
    paused_at: Instant | null;
    paused_by: string | null;
    reason: string | null;
  };
  /** What happened, for `funding_changes_since`. */
  funding_change: Written & {
    readonly workspace: string | null;
    readonly kind: string;
    readonly subject: string | null;
    readonly what: string;
  };
  /** What somebody should hear of. */
  funding_inbox_item: AboutResource & {
    readonly recipient: string;
    readonly kind: 'comment' | 'decision';
    readonly subject: string;
    acknowledged_at: Instant | null;
  };
}
