import { failure, ModelFailure } from './failure.ts';
import type { Limits } from './limits.ts';

/** Watches over one request to a model. */
export interface Watch {
  /** Aborts the request. */
  readonly signal: AbortSignal;
  /** True when it was aborted for silence. */
  readonly stalled: boolean;
  /** A part came: until the next `listen` the silence is ours. */
  rest(): void;
  /** We wait for the next part. */
  listen(): void;
  /** The first output came: from now on only silence counts. */
  began(): void;
  /** The request is over. */
  end(): void;
}

/** Aborts the request when the turn is stopped, or when the model is silent for too long while we listen. */
export function startWatch(limits: Pick<Limits, 'firstOutputMs' | 'silenceMs'>, signal: AbortSignal): Watch {
  const request = new AbortController();
  const stop = () => request.abort(signal.reason);
  let listening = true;
  let answering = false;
  let stalled = false;
  const fire = () => {
    if (answering && !listening) return;
    stalled = true;
    request.abort(new ModelFailure(failure('model_stalled')));
  };
  let timer = setTimeout(fire, limits.firstOutputMs);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  return {
    signal: request.signal,
    get stalled() {
      return stalled;
    },
    rest() {
      listening = false;
    },
    listen() {
      listening = true;
      if (answering) timer.refresh();
    },
    began() {
      answering = true;
      clearTimeout(timer);
      timer = setTimeout(fire, limits.silenceMs);
    },
    end() {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    },
  };
}
