import type { Caller } from '../access.ts';
import type { Call } from '../define.ts';
import type { Codec } from './codec.ts';
import type { Params } from './everyday.ts';
import type { Fault } from './fault.ts';
import type { ServeOptions } from './options.ts';
import type { Spoken } from './revisions.ts';
import type { Surface } from './surface.ts';

/** One request on its way to a method: what was asked, by whom, and what this mount answers with. */
export interface Ask<Deps> {
  readonly params: Params;
  readonly codec: Codec;
  readonly caller: Caller;
  readonly surface: Surface<Deps>;
  readonly spoken: Spoken;
  readonly headers: Headers;
  readonly receivedAt: number;
  readonly options: ServeOptions<Deps>;
  /** Fires when the caller's connection is gone. */
  gone(): AbortSignal;
}

/** The JSON text of a result, or a fault. */
export type Answer = string | Buffer | Fault;

/** What a handler gets. Only a read on a mount that says `cancels` ends with its connection. */
export function callOf<Deps>(ask: Ask<Deps>, reads: boolean): Call<Deps> {
  let never: AbortController | undefined;
  return {
    deps: ask.options.deps,
    caller: ask.caller,
    get signal() {
      return endsWithConnection(ask, reads) ? ask.gone() : (never ??= new AbortController()).signal;
    },
  };
}

export function endsWithConnection<Deps>(ask: Ask<Deps>, reads: boolean): boolean {
  return reads && ask.options.disconnect === 'cancels';
}
