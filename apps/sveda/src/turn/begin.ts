import type { Context } from 'hono';
import type { Call } from '@portolan/agent';
import { HttpProblem } from '@portolan/http';
import { StreamRequest } from '@sveda-ai/protocol';
import { readBody } from '../body.ts';
import type { Visitor } from '../embed/tokens.ts';
import type { VisitorEnv } from '../embed/visitor.ts';
import type { Most, Occupancy } from '../limits/occupancy.ts';
import type { Admission, Admitted } from './admission.ts';
import { admit } from './admit.ts';
import type { Hub } from './hub.ts';
import type { Segments } from './segments.ts';

export interface TurnOptions {
  readonly admission: Admission;
  readonly segments: Segments;
  readonly hub: Hub;
  /** Milliseconds of silence after which a stream says that it lives. */
  readonly heartbeatMs: number;
  /** Model names that a post may ask for. */
  readonly models: () => ReadonlySet<string>;
  /** True while the visitor's policy allows a call of the page. */
  readonly mayRun: (visitor: Visitor, call: Call) => boolean;
  /** Turns that run on this node, by visitor, and how many may. */
  readonly running: Occupancy;
  readonly mostRunning: () => Most;
}

/** Takes a visitor's post and begins its segment, which runs to its end whoever reads. Throws the refusal. */
export async function begin(
  c: Context<VisitorEnv>,
  { admission, segments, models, mayRun, running, mostRunning }: TurnOptions,
): Promise<Admitted> {
  const body = await readBody(c, StreamRequest);
  if (body.model !== undefined && !models().has(body.model))
    throw new HttpProblem(422, 'unknown_model', 'There is no such model.');
  const visitor = c.get('visitor');
  running.demand(visitor.visitor, mostRunning(), 'turns');
  const leave = running.enter(visitor.visitor);
  try {
    const admitted = await admit(admission, visitor.visitor, body, (call) => mayRun(visitor, call));
    void segments.start(visitor, admitted).finally(leave);
    return admitted;
  } catch (error) {
    leave();
    throw error;
  }
}
