import { z } from 'zod';
import { present } from './present.ts';
import { OptionalUntrusted, Time } from './shapes.ts';

/** Whether something is paused, and if so since when, by whom and why. */
export const PausedShown = z.object({
  paused: z.boolean(),
  since: Time.optional(),
  by: z.string().optional(),
  reason: OptionalUntrusted,
});

/** A row of a switch that pauses something. */
interface Switch {
  readonly paused_at: Date | null;
  readonly paused_by: string | null;
  readonly reason: string | null;
}

/** A switch as answers show it. */
export function showPaused({ paused_at: since, paused_by: by, reason }: Switch) {
  return { paused: since !== null, ...present({ since, by, reason }, 'reason') };
}
