import { anyone, Refusal } from '@portolan/mcp/tool';
import { z } from 'zod';
import { compose, type HarbourPage } from '../../harbour/composition.ts';
import { harbourMarkdown } from '../../harbour/markdown.ts';
import { readHarbour } from '../../harbour/read.ts';
import { tool } from '../../mcp/tool.ts';
import type { Deps } from '../../mcp/vocabulary.ts';
import { Brief } from './shapes.ts';

const Which = z.strictObject({ slug: z.string().max(200).describe('Slug or LOCODE') });

const Page = Brief.extend({
  province: z.string().optional(),
  timezone: z.string().optional(),
  aliases: z.array(z.string()).optional(),
  otherLocodes: z.array(z.string()).optional(),
  customsCode: z.string().optional().describe('US customs'),
  services: z.array(z.string()).optional(),
  depthM: z.number().optional(),
  source: z.string(),
  neighbours: z.array(z.object({ slug: z.string(), name: z.string(), distanceKm: z.number() })),
  url: z.string(),
});

export const harbourGet = tool('harbour_get', {
  title: 'Read one harbour',
  says: 'Every fact on one harbour’s public page, and the harbours nearby. Find slugs with harbour_search. A fact that is not recorded is left out.',
  access: anyone,
  effect: 'reads',
  input: Which,
  output: Page,
  example: { slug: 'tallinn-eetll' },
}).run(async ({ slug }, { deps }) => {
  const page = await pageOf(deps, slug);
  return { ...page, url: addressIn(deps)(page.slug) };
});

export const harbourPageSnapshot = tool('harbour_page_snapshot', {
  title: 'Read a harbour page as text',
  says: 'One harbour’s public page as Markdown, with its address, to quote or to summarise. Find slugs with harbour_search.',
  access: anyone,
  effect: 'reads',
  input: Which,
  output: z.object({ url: z.string(), markdown: z.string() }),
  example: { slug: 'tallinn-eetll' },
}).run(async ({ slug }, { deps }) => {
  const page = await pageOf(deps, slug);
  const address = addressIn(deps);
  return { url: address(page.slug), markdown: harbourMarkdown(page, address) };
});

async function pageOf({ harbours }: Deps, slug: string): Promise<HarbourPage> {
  const found = await readHarbour(harbours, slug);
  if (!found) throw new Refusal('not_found', 'There is no such harbour. Find slugs with harbour_search.');
  return compose(found);
}

function addressIn({ origin }: Deps): (slug: string) => string {
  return (slug) => `${origin}/harbours/${slug}`;
}
