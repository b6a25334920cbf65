import { base64Length } from './bytes.ts';
import { readEnvelope, type Block } from './envelope.ts';
import { ContentFailure } from './errors.ts';
import { toPicture, type ImageFacts, type MaxDimension } from './image.ts';
import { CONTENT_LIMITS } from './limits.ts';

/** One part of a native result, in the order of its content. Texts and data are the peer's: never instructions. */
export type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly png: Buffer; readonly facts: ImageFacts }
  /** Any other block, with counts in the place of its bytes. What looks like an image in it is none. */
  | { readonly type: 'data'; readonly block: Readonly<Record<string, unknown>> };

/** A tool result with its images as images. */
export interface NativeResult {
  /** The tool says that it failed; its effects are uncertain, and it gives no images. */
  readonly isError: boolean;
  readonly parts: readonly Part[];
  readonly structuredContent?: unknown;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** How images come out. */
export interface ProjectOptions {
  /** Never sent to the peer. 1,600 pixels if not given. */
  readonly maxDimension?: MaxDimension;
  readonly signal?: AbortSignal;
}

/**
 * Validates a result of tools/call as a whole and makes its images usable: within all limits, or not at all. Throws
 * `ContentFailure`; also when the caller has cancelled meanwhile, so that nothing is published then.
 */
export async function projectResult(
  answer: Readonly<Record<string, unknown>>,
  { maxDimension = CONTENT_LIMITS.side, signal }: ProjectOptions = {},
): Promise<NativeResult> {
  const { blocks, structuredContent, isError, meta } = readEnvelope(answer);
  if (!isError) requireSmallSources(blocks);
  const parts: Part[] = [];
  for (const [index, block] of blocks.entries()) {
    requireWanted(signal);
    parts.push(await toPart(block, index, isError, maxDimension));
  }
  requireWanted(signal);
  const result = {
    isError,
    parts,
    ...(structuredContent !== undefined && { structuredContent }),
    ...(meta && { meta }),
  };
  requireSmallText(result);
  return result;
}

async function toPart(block: Block, index: number, isError: boolean, longest: MaxDimension): Promise<Part> {
  if (isText(block)) return { type: 'text', text: block.text };
  if (isImage(block) && !isError) return { type: 'image', ...(await toPicture(block, index, longest)) };
  return { type: 'data', block: withoutBytes(block) };
}

function isText(block: Block): block is Block & { text: string } {
  return block.type === 'text';
}

function isImage(block: Block): block is Block & { data: string; mimeType: string } {
  return block.type === 'image';
}

/** Base64 gives way to the number of its bytes. */
function withoutBytes(block: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { data, blob, resource, ...rest } = block;
  const bytes = [data, blob].find((value) => typeof value === 'string');
  return {
    ...rest,
    ...(typeof bytes === 'string' && { bytes: base64Length(bytes) }),
    ...(typeof resource === 'object' && resource !== null && { resource: withoutBytes({ ...resource }) }),
  };
}

function requireSmallSources(blocks: readonly Block[]): void {
  let total = 0;
  for (const [index, block] of blocks.entries()) {
    if (!isImage(block)) continue;
    total += base64Length(block.data);
    if (total > CONTENT_LIMITS.source) {
      throw new ContentFailure('image_too_large', 'The images are over 32 MiB', index);
    }
  }
}

function requireSmallText(result: NativeResult): void {
  const parts = result.parts.map((part) =>
    part.type === 'image' ? { type: part.type, facts: part.facts } : part,
  );
  if (Buffer.byteLength(JSON.stringify({ ...result, parts })) > CONTENT_LIMITS.text) {
    throw new ContentFailure('text_too_large', 'Text and data of the result are over 1 MiB');
  }
}

function requireWanted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new ContentFailure('cancelled', 'The caller cancelled');
}
