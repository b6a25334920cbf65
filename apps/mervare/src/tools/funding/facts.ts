import { z } from 'zod';
import type { ResourceFacts } from '../../funding/resources.ts';
import { Day, Text, WebAddress } from '../shapes.ts';
import { Kind } from './shapes.ts';

/** What each fact of a resource may say. */
export const facts = {
  kind: Kind,
  name: Text(200),
  url: WebAddress,
  summary: Text(4000),
  amountEur: z.int().min(0),
  deadline: Day,
} as const satisfies Record<keyof ResourceFacts, z.ZodType>;

export const FIELDS = Object.keys(facts) as [keyof ResourceFacts, ...(keyof ResourceFacts)[]];
