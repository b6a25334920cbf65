import type { Answer } from '@portolan/mcp/connect';
import { z } from 'zod';
import { printable } from './printable.ts';

const Resource = z.looseObject({
  uri: z.string(),
  mimeType: z.string().optional(),
  text: z.string().optional(),
  blob: z.string().optional(),
});
const Block = z.union([
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({ type: z.enum(['image', 'audio']), mimeType: z.string(), data: z.string() }),
  z.looseObject({ type: z.literal('resource_link'), uri: z.string() }),
  z.looseObject({ type: z.literal('resource'), resource: Resource }),
]);
type Block = z.output<typeof Block>;

/** The result of a call for people: text as it is, binary parts by type and size, structured content as JSON. */
export function linesOfResult({ isError, content, structuredContent }: Answer): string[] {
  return [
    ...(isError === true ? ['The tool reports an error.'] : []),
    ...(Array.isArray(content) ? content : []).map((sent: unknown) => {
      const { data: block } = Block.safeParse(sent);
      return printable(block ? lineOf(block) : JSON.stringify(sent));
    }),
    ...(structuredContent === undefined ? [] : [printable(JSON.stringify(structuredContent, null, 2))]),
  ];
}

function lineOf(block: Block): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'resource_link':
      return `[link to ${block.uri}]`;
    case 'resource':
      return lineOfResource(block.resource);
    default:
      return `[${block.mimeType}, ${bytesOf(block.data)} bytes]`;
  }
}

function lineOfResource({ uri, mimeType = 'no type', text, blob = '' }: z.output<typeof Resource>): string {
  return text === undefined ? `[${uri}: ${mimeType}, ${bytesOf(blob)} bytes]` : `[${uri}]\n${text}`;
}

function bytesOf(base64: string): number {
  return Buffer.byteLength(base64, 'base64');
}
