import { LineCounter, parseDocument, type Document } from 'yaml';
import { z } from 'zod';

/** Faults on demand: the first three come before any output, the others after the text. */
export const FAULTS = [
  'rate_limited',
  'overloaded',
  'unauthorized',
  'stall',
  'cut',
  'truncated',
  'malformed',
] as const;

/** One scripted answer of a model. */
export const Reply = z
  .strictObject({
    when: z
      .string()
      .refine(isPattern, 'This is no regular expression.')
      .optional()
      .describe("Only for this: a regular expression on the last message's text, whatever the letter case."),
    reasoning: z.string().optional().describe('What it thinks first.'),
    text: z.string().optional().describe('What it says.'),
    calls: z
      .array(
        z.strictObject({
          name: z.string().min(1).describe('The tool.'),
          args: z
            .record(z.string(), z.unknown())
            .default({})
            .describe('The arguments; {$result: /pointer} takes a value from the newest result that has it.'),
        }),
      )
      .optional()
      .describe('The calls it makes, all in one step.'),
    delayMs: z.int().min(0).max(600_000).optional().describe('Waits before the first output.'),
    fault: z.enum(FAULTS).optional().describe('What goes wrong.'),
  })
  .refine((reply) => ['text', 'reasoning', 'calls', 'fault'].some((key) => key in reply), {
    message: 'A reply says, thinks or calls something, or has a fault.',
  });
/** A reply as it is written down. */
export type Reply = z.input<typeof Reply>;
export type Fault = (typeof FAULTS)[number];

export const Script = z.array(Reply).min(1, 'A script has at least one reply.');
export type Script = z.output<typeof Script>;

/** Reads a script from YAML. Throws an Error that shows every fault with its line. */
export function readScript(yaml: string, name = 'script'): Script {
  const lines = new LineCounter();
  const document = parseDocument(yaml, { lineCounter: lines });
  const broken = document.errors[0];
  if (broken) throw new Error(`${name}: ${broken.message}`);
  const parsed = Script.safeParse(document.toJS());
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => {
    const at = rangeAt(document, path.map(String));
    const line = at === undefined ? '' : `:${lines.linePos(at).line}`;
    return `${name}${line} ${path.join('.')}: ${message}`;
  });
  throw new Error(faults.join('\n'));
}

/** Where a node begins, or the nearest one around it. */
function rangeAt(document: Document, path: readonly string[]): number | undefined {
  const node = path.length > 0 ? document.getIn(path, true) : document.contents;
  const range = (node as { range?: readonly number[] } | undefined)?.range;
  if (range) return range[0];
  return path.length > 0 ? rangeAt(document, path.slice(0, -1)) : undefined;
}

function isPattern(text: string): boolean {
  try {
    return Boolean(new RegExp(text, 'iu'));
  } catch {
    return false;
  }
}
