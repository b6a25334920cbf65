import { Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

export { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** A request that has ended. */
export interface EndedRequest {
  readonly method: string;
  /** The pattern of its route, never its path. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

/** The measures of one edge. Labels are route patterns, known methods and status classes: the code bounds their number. */
export interface EdgeMetrics {
  began(): void;
  ended(request: EndedRequest): void;
  /** The registry and the process in Prometheus' text form. */
  text(): Promise<string>;
}

/** Registers the measures of one edge in a registry. */
export function edgeMetrics(registry: Registry): EdgeMetrics {
  const registers = [registry];
  const open = new Gauge({ name: 'http_requests_open', help: 'Requests in flight', registers });
  const seconds = new Histogram({
    name: 'http_request_seconds',
    help: 'Time from a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.025, 0.1, 0.5, 2, 10, 60],
    registers,
  });
  return {
    began: () => open.inc(),
    ended(request) {
      open.dec();
      const method = methods.has(request.method) ? request.method : 'OTHER';
      const status = `${Math.floor(request.status / 100)}xx`;
      seconds.observe({ method, route: request.route, status }, request.seconds);
    },
    text: async () => `${await registry.metrics()}\n${await processRegistry().metrics()}`,
  };
}

export const metricsType = Registry.PROMETHEUS_CONTENT_TYPE;

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

let ofProcess: Registry | undefined;

/** Memory, event loop and garbage collection, watched from the first question on, once a process. */
function processRegistry(): Registry {
  if (ofProcess === undefined) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
}
