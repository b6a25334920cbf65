import type { UserPart } from '@portolan/agent';
import type { UserMessage } from '@sveda-ai/protocol';

/** The message as the model reads it. */
export function partsOf({ text, files = [] }: UserMessage): UserPart[] {
  return [
    { type: 'text', text },
    ...files.map((file): UserPart =>
      'data' in file
        ? { type: 'image', mediaType: file.mediaType, data: file.data }
        : { type: 'text', text: `File ${file.name} (${file.mediaType}):\n${file.text}` },
    ),
  ];
}

/** The message as it is read again: files by name, their content is in the history for the model. */
export function withoutContent({ text, files }: UserMessage) {
  return { text, ...(files && { files: files.map(({ name, mediaType }) => ({ name, mediaType })) }) };
}

/** The first line of a text, at most so many characters. */
export function beginning(text: string, most: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}
