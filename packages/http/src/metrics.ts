import { Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

export { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** The measures of one edge. Labels are route patterns and known methods, so their number is bounded by the code. */
export interface EdgeMetrics {
  readonly registry: Registry;
  began(): void;
  ended(request: { method: string; route: string; status: number; seconds: number }): void;
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Registers the measures of one edge, and those of the process, in a registry of its own or in the one given. */
export function edgeMetrics(name: string, registry = new Registry()): EdgeMetrics {
  registry.setDefaultLabels({ app: name });
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const open = new Gauge({ name: 'http_requests_open', help: 'Requests in flight', registers });
  const seconds = new Histogram({
    name: 'http_request_seconds',
    help: 'Time from request to the end of its answer',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.005, 0.025, 0.1, 0.5, 2, 10, 60],
    registers,
  });
  return {
    registry,
    began: () => open.inc(),
    ended(request) {
      open.dec();
      const method = methods.has(request.method) ? request.method : 'OTHER';
      const status = `${Math.floor(request.status / 100)}xx`;
      seconds.observe({ method, route: request.route, status }, request.seconds);
    },
  };
}
