import type { HarbourPage } from './composition.ts';
import { factsOf } from './facts.ts';

/** The harbour's public page as Markdown: the same facts in the same order, with its address. */
export function harbourMarkdown(page: HarbourPage, address: (slug: string) => string): string {
  const facts = factsOf(page).map(({ label, value }) => `- ${label}: ${escape(value)}`);
  const neighbours = page.neighbours.map(
    ({ slug, name, distanceKm }) => `- [${escape(name)}](${address(slug)}), ${distanceKm} km`,
  );
  return [
    `# ${escape(page.name)}`,
    facts.join('\n'),
    ...(neighbours.length > 0 ? ['## Harbours nearby', neighbours.join('\n')] : []),
    `Page: ${address(page.slug)}`,
  ].join('\n\n');
}

/** Takes the meaning from everything that Markdown or HTML would read within a line. */
function escape(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]#!|<>&~]/g, String.raw`\$&`);
}
