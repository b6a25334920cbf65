import type { EdgeEnv } from '@portolan/http';
import type { ErrorHandler } from 'hono';
import { problemOf } from '../problem.ts';
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
