import { request, type Asked } from '../exercise.ts';
import type { Tokens } from './plant.ts';

/** Who is asked, and what that is. */
export const sides = {
  open: '`/api/mcp/discovery`: no credential',
  authorised:
    '`/api/mcp` with an access token: of somebody without any right for the harbours, else of a super admin',
  sdk2: 'SDK v2: `requireBearerAuth` (one prepared statement with `pg`), then `createMcpHandler` with `parsedBody` and a low-level `Server` a request, on @hono/node-server; it lists the same tools and answers the same, as a constant',
} as const;

export type Side = keyof typeof sides;

/** Something that is asked of each of its sides. */
export interface Subject {
  readonly title: string;
  /** Whose token is sent where one is. */
  readonly as: keyof Tokens;
  readonly sides: readonly Side[];
  readonly asked: Asked;
}

const list = request('2026-07-28', 'tools/list', {});

function call(name: string, input: object): Asked {
  const params = { name, arguments: input };
  return request('2026-07-28', 'tools/call', params);
}

/** Everything that is measured, in the order of the report. */
export const subjects: readonly Subject[] = [
  {
    title: 'harbour_get',
    as: 'member',
    sides: ['open', 'authorised'],
    asked: call('harbour_get', { slug: 'tallinn-eetll' }),
  },
  {
    title: 'harbour_search',
    as: 'member',
    sides: ['open', 'authorised'],
    asked: call('harbour_search', { near: 'Tallinn', withinKm: 100 }),
  },
  { title: 'tools/list, the harbours', as: 'member', sides: ['open', 'authorised'], asked: list },
  {
    title: 'survey_capabilities',
    as: 'admin',
    sides: ['authorised', 'sdk2'],
    asked: call('survey_capabilities', {}),
  },
  { title: 'tools/list, an administrator’s', as: 'admin', sides: ['authorised', 'sdk2'], asked: list },
  {
    title: 'agent_run_record, which writes',
    as: 'admin',
    sides: ['authorised'],
    asked: call('agent_run_record', {
      goal: 'Check the tide tables',
      outcome: 'succeeded',
      summary: 'All 40 agree.',
      startedAt: '2026-05-04T08:00:00Z',
      endedAt: '2026-05-04T08:20:00Z',
    }),
  },
];
