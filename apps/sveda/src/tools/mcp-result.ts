import { ConnectionFailure, type Answer } from '@portolan/mcp/connect';
import { ContentFailure, projectResult, type Part } from '@portolan/mcp/content';
import { Refusal, text, type ContentBlock, type ToolResult } from '@portolan/mcp/tool';

/** Images that are made usable; others are told in words. */
const SHOWN = new Set(['image/png', 'image/jpeg', 'image/webp']);

/**
 * What an MCP server answered, as it is kept, streamed and shown to the model: text, structured content, resource links, and
 * images as upright PNG, all within the limits of a native result. Throws a Refusal when the call failed or its result is
 * none: what the model needs to know, never a secret.
 */
export async function resultOf(answer: Promise<Answer>, signal: AbortSignal): Promise<ToolResult> {
  try {
    const { isError, parts, structuredContent } = await projectResult(withoutStrangeImages(await answer), {
      signal,
    });
    return {
      content: parts.map(blockOf),
      ...(structuredContent !== undefined && { structuredContent }),
      ...(isError && { isError }),
    };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ContentFailure) throw new Refusal('unavailable', error.message);
    if (error instanceof ConnectionFailure) throw new Refusal('unavailable', told(error));
    throw error;
  }
}

function told({ message, rows, peer, effects }: ConnectionFailure): string {
  const why = rows.map((row) => ` ${row}.`).join('');
  const says = peer ? ` It says: ${peer.message}` : '';
  return `${message}${why}${says}${effects === 'possible' ? ' The call may have taken effect.' : ' Nothing was sent.'}`;
}

/** One image of a kind that cannot be shown costs itself, not the whole result. */
function withoutStrangeImages(answer: Answer): Answer {
  if (!Array.isArray(answer.content)) return answer;
  const content = answer.content.map((block: unknown) => {
    const { type, mimeType } = (block ?? {}) as { type?: unknown; mimeType?: unknown };
    if (type !== 'image' || typeof mimeType !== 'string' || SHOWN.has(mimeType)) return block;
    return text(`[The tool produced ${mimeType.slice(0, 100)}. It cannot be shown.]`);
  });
  return { ...answer, content };
}

function blockOf(part: Part): ContentBlock {
  switch (part.type) {
    case 'text':
      return text(part.text);
    case 'image':
      return { type: 'image', mimeType: 'image/png', data: part.png.toString('base64') };
    default:
      return dataBlock(part.block);
  }
}

/** Links and embedded texts stay what they are; bytes have given way to their number and are told in words. */
function dataBlock(block: Readonly<Record<string, unknown>>): ContentBlock {
  if (block.type === 'resource_link' || block.type === 'resource') return block as ContentBlock;
  return text(`[The tool produced ${JSON.stringify(block).slice(0, 2_000)}]`);
}
