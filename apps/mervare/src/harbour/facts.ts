import type { HarbourPage } from './composition.ts';

/** One line of facts, as the page and its Markdown snapshot show it. */
export interface Fact {
  readonly label: string;
  readonly value: string;
}

/** The facts of a page in reading order. An absent fact has no line. */
export function factsOf(page: HarbourPage): Fact[] {
  const { position, depthM } = page;
  const lines: readonly (readonly [label: string, value: string | undefined])[] = [
    ['LOCODE', page.locode],
    ['Country', page.country],
    ['Province', page.province],
    ['City', page.city],
    ['Position', position && `${degrees(position.lat, 'N', 'S')}, ${degrees(position.lon, 'E', 'W')}`],
    ['Time zone', page.timezone],
    ['Also called', page.aliases?.join(', ')],
    ['Other LOCODEs', page.otherLocodes?.join(', ')],
    ['US customs port code', page.customsCode],
    ['Services', page.services?.join(', ')],
    ['Depth', depthM === undefined ? undefined : `${depthM} m`],
    ['Source', page.source],
  ];
  return lines.flatMap(([label, value]) => (value === undefined ? [] : [{ label, value }]));
}

function degrees(value: number, positive: string, negative: string): string {
  return `${Math.abs(value)}° ${value < 0 ? negative : positive}`;
}
