import { Refusal } from '@portolan/mcp/tool';

/** What an import did. Importing the same again changes nothing. */
export interface Imported {
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
}

const FAULTS_SHOWN = 20;

/** The refusal of something whose parts have these faults. */
export function faulty(faults: readonly string[]): Refusal {
  const more = faults.length - FAULTS_SHOWN;
  const lines = [...faults.slice(0, FAULTS_SHOWN), ...(more > 0 ? [`and ${more} more`] : [])];
  return new Refusal('invalid_input', ['The file has faults; nothing was imported.', ...lines].join('\n  '));
}
