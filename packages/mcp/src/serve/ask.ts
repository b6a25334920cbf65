import type { Caller } from '../access.ts';
import type { ToolResult } from '../answer.ts';
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
  readonly gone: () => AbortSignal;
  /** The call of this very request, where it was begun before the caller was certain. */
  readonly begun?: Begun | undefined;
}

/** A tool that runs. */
export interface Begun {
  readonly result: Promise<ToolResult>;
  /** True when the handler has asked for the signal and the signal has fired. */
  readonly stopped: () => boolean;
}

/** The JSON text of a result, or a fault. */
export type Answer = string | Buffer | Fault;

/** A handler's view of its call, and whether it was stopped. */
export interface Running<Deps> {
  readonly call: Call<Deps>;
  /** True when the handler has asked for the signal and the signal has fired. */
  readonly stopped: () => boolean;
}

/** Only a read on a mount that says `cancels` ends with its connection. The signal is made when it is asked for. */
export function running<Deps>({ options, caller, gone }: Ask<Deps>, reads: boolean): Running<Deps> {
  const endsWithConnection = reads && options.disconnect === 'cancels';
  let signal: AbortSignal | undefined;
  return {
    call: {
      deps: options.deps,
      caller,
      get signal() {
        return (signal ??= endsWithConnection ? gone() : new AbortController().signal);
      },
    },
    stopped: () => signal?.aborted ?? false,
  };
}
