/** The first line of every generated page. */
export const HEADER = '<!-- Written by `npm run generate`. Do not edit. -->';

/** A Markdown table. Pipes inside cells are escaped. */
export function table(heads: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) =>
    `| ${cells.map((cell) => String(cell).replaceAll('|', String.raw`\|`)).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A name as code. */
export function code(name: string): string {
  return `\`${name}\``;
}

/** Blocks of a page, one empty line between them. */
export function pageOf(blocks: readonly string[]): string {
  return `${[HEADER, ...blocks].join('\n\n')}\n`;
}
