import type { ColumnType, Generated } from 'kysely';

export const HYPOTHESIS_STATUSES = ['open', 'supported', 'refuted', 'parked'] as const;
export type HypothesisStatus = (typeof HYPOTHESIS_STATUSES)[number];

export const STANCES = ['for', 'against'] as const;
export type Stance = (typeof STANCES)[number];

export const HANDOFF_STATES = ['open', 'claimed', 'done', 'blocked'] as const;
export type HandoffState = (typeof HANDOFF_STATES)[number];

export const CONTACT_STAGES = ['lead', 'contacted', 'talking', 'agreed', 'lost'] as const;
export type ContactStage = (typeof CONTACT_STAGES)[number];

export const EXPERIMENT_STATES = ['planned', 'running', 'finished', 'abandoned'] as const;
export type ExperimentState = (typeof EXPERIMENT_STATES)[number];

export const RUN_OUTCOMES = ['succeeded', 'failed', 'stopped'] as const;
export type RunOutcome = (typeof RUN_OUTCOMES)[number];

export const VERDICTS = ['confirmed', 'refuted', 'inconclusive'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** What an event of the control plane is about. */
export const SUBJECT_KINDS = [
  'hypothesis',
  'evidence',
  'handoff',
  'contact',
  'run',
  'experiment',
  'checkpoint',
  'verification',
  'mail',
] as const;
export type SubjectKind = (typeof SUBJECT_KINDS)[number];

type Instant = ColumnType<Date, Date, Date>;

/** Who wrote a row, and when. */
interface Written {
  readonly id: string;
  readonly by: string;
  readonly at: Instant;
}

/** What agents share: what they suppose, know, hand to each other and have done. */
export interface AgentTables {
  agent_hypothesis: Written & {
    statement: string;
    status: HypothesisStatus;
    /** 0 to 1. */
    confidence: number;
    version: number;
  };
  agent_evidence: Written & {
    readonly source: string;
    readonly content: string;
    /** SHA-256 of the content. */
    readonly hash: Buffer;
    readonly hypothesis: string | null;
    readonly stance: Stance | null;
  };
  agent_handoff: Written & {
    /** Actor who may claim it, as `kind:name`. */
    readonly addressee: string;
    readonly title: string;
    readonly body: string;
    readonly hypothesis: string | null;
    state: HandoffState;
    lease_until: Instant | null;
    /** What came of it, or what blocks it. */
    result: string | null;
    ended_at: Instant | null;
    /** Grows with every change: whoever holds a smaller one has lost the claim. */
    version: number;
  };
  agent_handoff_evidence: { readonly handoff: string; readonly evidence: string };
  agent_checkpoint: {
    readonly agent: string;
    readonly name: string;
    value: string;
    version: number;
    updated_at: Instant;
  };
  agent_contact: Written & {
    readonly name: string;
    organisation: string | null;
    stage: ContactStage;
    note: string | null;
    version: number;
    updated_at: Instant;
  };
  agent_run: Written & {
    readonly goal: string;
    readonly outcome: RunOutcome;
    readonly summary: string;
    readonly started_at: Instant;
    readonly ended_at: Instant;
  };
  agent_experiment: Written & {
    readonly hypothesis: string | null;
    readonly title: string;
    plan: string;
    state: ExperimentState;
    result: string | null;
    version: number;
  };
  agent_verification: Written & {
    readonly subject_kind: 'hypothesis' | 'experiment' | 'handoff' | 'evidence';
    readonly subject: string;
    readonly verdict: Verdict;
    readonly method: string;
  };
  /** A letter that an agent has written. Once it is queued, what becomes of it stands with the letter in the outbox. */
  agent_mail: Written & {
    readonly addressee: string;
    readonly subject: string;
    readonly text: string;
    /** SHA-256 of the three. */
    readonly digest: Buffer;
    enqueued_at: Instant | null;
    enqueued_by: string | null;
  };
  /** What happened, in order. */
  agent_event: Written & {
    readonly n: Generated<number>;
    readonly kind: SubjectKind;
    /** Id, or for a checkpoint its name. */
    readonly subject: string;
    readonly what: string;
  };
}
