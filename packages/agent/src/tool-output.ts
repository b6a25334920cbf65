import type { LanguageModelV3ToolResultPart } from '@ai-sdk/provider';
import type { ContentBlock, ToolResult } from '@portolan/mcp/tool';
import type { Call } from './history.ts';

type Output = LanguageModelV3ToolResultPart['output'];
type ImageBlock = Extract<ContentBlock, { type: 'image' | 'audio' }>;

/** What a request may hold of tool results. */
export interface OutputRules {
  readonly resultChars: number;
  /** Marks what a tool said; our own words about a call stay as they are. */
  mark(text: string): string;
  /** True for an image that this request carries; every other one is told in words. */
  shows(image: object): boolean;
}

/** The result of a call as a provider takes it. A call without one is told as cancelled: history is always whole. */
export function outputOf(call: Call, rules: OutputRules): Output {
  const result = call.result;
  if (!result) return { type: 'error-text', value: 'The call was cancelled.' };
  const said = clip(textOf(result, rules), rules.resultChars);
  const text = said !== '' && isTheTools(call) ? rules.mark(said) : said;
  if (result.isError) return { type: 'error-text', value: text };
  const images = result.content.filter(
    (block) => block.type === 'image' && rules.shows(block),
  ) as ImageBlock[];
  if (images.length === 0) return { type: 'text', value: text };
  return {
    type: 'content',
    value: [
      ...(text ? [{ type: 'text' as const, text }] : []),
      ...images.map(({ data, mimeType }) => ({ type: 'image-data' as const, data, mediaType: mimeType })),
    ],
  };
}

/** True when the result holds words of the tool, not ours. */
function isTheTools({ outcome }: Call): boolean {
  return outcome === 'succeeded' || outcome === 'failed';
}

/** Structured content first, then every block that says more. */
function textOf({ content, structuredContent }: ToolResult, rules: OutputRules): string {
  const structured = structuredContent === undefined ? [] : [JSON.stringify(structuredContent)];
  const blocks = content
    .filter((block) => !(block.type === 'image' && rules.shows(block)))
    .map(wordsOf)
    .filter((words) => !structured.some((json) => isSameJson(words, json)));
  return [...structured, ...blocks].join('\n');
}

function wordsOf(block: ContentBlock): string {
  if (block.type === 'text') return block.text;
  if (block.type === 'resource_link') return `[Resource ${block.name}: ${block.uri}]`;
  if (block.type === 'resource') {
    const { uri, text } = block.resource;
    return typeof text === 'string' ? `[Resource ${String(uri)}]\n${text}` : `[Resource ${String(uri)}]`;
  }
  return `[The tool produced ${block.mimeType}, ${decodedBytes(block.data)} bytes. You cannot see or hear it.]`;
}

/** Servers repeat structured content as text for older clients: once is enough. */
function isSameJson(words: string, json: string): boolean {
  try {
    return words === json || JSON.stringify(JSON.parse(words)) === json;
  } catch {
    return false;
  }
}

/** The beginning of a text that is too long, never half a letter, and how much is missing. */
function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const kept = text.slice(0, limit).replace(/[\uD800-\uDBFF]$/, '');
  return `${kept}\n[${text.length - kept.length} more characters were cut off.]`;
}

/** Bytes behind a base64 text. */
export function decodedBytes(base64: string): number {
  return Math.floor((base64.replace(/=+$/, '').length * 3) / 4);
}
