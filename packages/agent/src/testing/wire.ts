/** What is to be said, whatever the wire. */
export interface WireSpeech {
  readonly reasoning?: string | undefined;
  readonly text?: string | undefined;
  readonly calls?: readonly { readonly name: string; readonly args?: object | undefined }[] | undefined;
  /** The answer breaks off after its text: no calls, no finish. */
  readonly broken: boolean;
}

/** Writes one answer as server-sent events, each with its closing blank line. */
export type Wire = (speech: WireSpeech) => string[];

/** Tokens that every answer claims to have used. */
export const USAGE = { input: 11, output: 7 } as const;

/** Pieces of a text: words with the space before them. */
export function words(text: string): string[] {
  return text.match(/\s*\S+|\s+$/g) ?? [];
}

/** Pieces of arguments, cut without regard to what they hold, but never inside a letter. */
export function argumentPieces(args: object): string[] {
  return JSON.stringify(args).match(/.{1,7}/gsu) ?? [];
}

/** A server-sent event, with its name where the wire has names. */
export function sse(data: object | string, event?: string): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return `${event ? `event: ${event}\n` : ''}data: ${text}\n\n`;
}
