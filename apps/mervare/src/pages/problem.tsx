import { HttpProblem, type EdgeEnv } from '@portolan/http';
import { Refusal } from '@portolan/mcp/tool';
import type { ErrorHandler } from 'hono';
import { Layout, type Site } from './layout.tsx';
import { show } from './show.ts';

/**
 * Answers what goes wrong behind a form with a page and not with JSON, by the same status and headers: give it to `onError` of
 * the routes. What nobody expected goes on to the edge.
 */
export function problemPages(site: Site): ErrorHandler<EdgeEnv> {
  return (error, c) => {
    const found = problemOf(error);
    for (const [name, value] of Object.entries(found.headers)) c.header(name, value);
    return show(c, <ProblemPage site={site} says={found.message} />, found.status);
  };
}

function problemOf(error: Error): HttpProblem {
  if (error instanceof HttpProblem) return error;
  if (error instanceof Refusal) return new HttpProblem(statuses[error.code], error.code, error.message);
  throw error;
}

const statuses = {
  invalid_input: 400,
  not_found: 404,
  conflict: 409,
  forbidden: 403,
  too_many: 429,
  unavailable: 503,
} as const;

function ProblemPage({ site, says }: { site: Site; says: string }) {
  return (
    <Layout site={site} title="This did not work · Mervare" description="What went wrong.">
      <h1>This did not work</h1>
      <p class="notice" role="alert">
        {says}
      </p>
    </Layout>
  );
}
