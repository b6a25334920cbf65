/** A page whose first line says what writes it. */
export function generated(blocks: readonly string[]): string {
  return `<!-- Written by \`npm run generate\`. Do not edit. -->\n\n${blocks.join('\n\n')}\n`;
}

/** A table; bars and line ends in cells are made harmless. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A value as a block of JSON. */
export function json(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}
