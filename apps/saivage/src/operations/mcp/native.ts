import type { NativeResult, Part } from '@portolan/mcp/content';
import { outcome, Untrusted, untrusted, type AnswerShape, type ContentBlock } from '@portolan/mcp/tool';
import { z } from 'zod';
import { enveloped, envelope, FailureShape } from '../envelope.ts';

const Size = z.object({ width: z.int(), height: z.int() });

const Content = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: Untrusted }),
  z.object({
    type: z.literal('image'),
    image: z.int().min(0).describe('Which of the images that follow, from 0.'),
    mimeType: z.literal('image/png'),
    bytes: z.int(),
    source: Size,
    sent: Size,
  }),
  z.object({
    type: z.literal('data'),
    data: Untrusted.describe('Any other block as JSON, without its bytes.'),
  }),
]);

const Envelope = z.object({
  success: z.boolean(),
  data: z
    .object({
      serverName: z.string(),
      toolName: z.string(),
      structuredContent: Untrusted.optional().describe('As JSON.'),
      meta: Untrusted.optional().describe('As JSON.'),
    })
    .optional(),
  error: FailureShape.optional(),
  content: z.array(Content).optional().describe('What the tool answered, in order.'),
});

/** The envelope of a native result, and the images that it tells of. */
export const NativeAnswer = z.object({
  envelope: Envelope,
  images: z.array(z.custom<ContentBlock>()),
});
type NativeAnswer = z.infer<typeof NativeAnswer>;

/** The one envelope, where what a tool of a peer answered rides beside data. */
export const nativeEnvelope: AnswerShape = {
  schema: () => Envelope,
  success: (answer) => {
    const { envelope: whole, images } = answer as NativeAnswer;
    return { ...enveloped(whole, images), [outcome]: whole.success ? 'succeeded' : 'uncertain' };
  },
  refusal: (refused) => envelope.refusal(refused),
};

/** A native result as agents get it: texts of the peer marked, images as blocks of their own. */
export function toNative(
  { serverName, toolName }: { readonly serverName: string; readonly toolName: string },
  { isError, parts, structuredContent, meta }: NativeResult,
): NativeAnswer {
  const images = parts.filter((part) => part.type === 'image');
  const data = {
    serverName,
    toolName,
    ...(structuredContent !== undefined && { structuredContent: asJson(structuredContent) }),
    ...(meta && { meta: asJson(meta) }),
  };
  const content = parts.map((part) => shown(part, images));
  return {
    envelope: isError ? { success: false, error: failed, data, content } : { success: true, data, content },
    images: images.map(({ png }) => ({ type: 'image', data: png.toString('base64'), mimeType: 'image/png' })),
  };
}

const failed = {
  code: 'tool_failed',
  message: 'The tool says that it failed. What it has done by then is not known.',
  details: { effects: 'possible' },
};

function shown(part: Part, images: readonly Part[]): z.infer<typeof Content> {
  if (part.type === 'text') return { type: 'text', text: untrusted(part.text) };
  if (part.type === 'data') return { type: 'data', data: asJson(part.block) };
  const { source, sent } = part.facts;
  const image = images.indexOf(part);
  return { type: 'image', image, mimeType: 'image/png', bytes: part.png.length, source, sent };
}

function asJson(value: unknown) {
  return untrusted(JSON.stringify(value));
}
