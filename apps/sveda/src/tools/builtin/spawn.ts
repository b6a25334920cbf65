import type { CallContext, Progress } from '@portolan/agent';
import { anyone, toolsFor, type ContentBlock, type ToolResult } from '@portolan/mcp/tool';
import { z } from 'zod';

/** Tasks of one call, those that run at once, and characters of text that each may answer. */
const MOST = 6;
const AT_ONCE = 4;
const CHARACTERS = 12_000;

/** Runs one task through the catalogue, or says why it may not run in a batch. */
export type RunTask = (
  tool: string,
  input: Readonly<Record<string, unknown>>,
  call: CallContext,
) => Promise<ToolResult | { readonly refused: string }>;

interface Deps {
  readonly runTask: RunTask;
  readonly call: CallContext;
  /** Images of the tasks, which go beside the structured answer. */
  readonly images: ContentBlock[];
}

const Task = z.object({
  tool: z.string().min(1).max(128).describe('Name of a tool.'),
  input: z.record(z.string(), z.unknown()).default({}).describe('Its arguments.'),
  label: z.string().min(1).max(120).optional().describe('What the task is for, for the visitor.'),
});
type Task = z.output<typeof Task>;

const Outcome = z.object({
  id: z.string(),
  label: z.string(),
  tool: z.string(),
  status: z.enum(['succeeded', 'failed', 'refused']),
  reason: z.string().optional().describe('Why it was refused.'),
  text: z.string().optional(),
  structuredContent: z.unknown().optional(),
});
type Outcome = z.output<typeof Outcome>;

export const spawnTool = toolsFor<Deps>()('spawn_tasks', {
  title: 'Run tasks side by side',
  says: `Runs up to ${MOST} independent tool calls side by side and answers all results. A tool that asks the visitor, or that the page runs, is called by itself instead.`,
  access: anyone,
  effect: 'writes',
  input: z.object({
    tasks: z.array(Task).min(1).max(MOST).describe('The calls; none may need the result of another.'),
  }),
  output: z.object({ tasks: z.array(Outcome) }),
  example: {
    tasks: [{ tool: 'harbour_search', input: { query: 'Tallinn' }, label: 'Harbours near Tallinn' }],
  },
}).run(async ({ tasks }, { deps }) => ({ tasks: await runAll(tasks, deps) }));

type Status = 'pending' | 'running' | 'completed' | 'failed';

async function runAll(tasks: readonly Task[], deps: Deps): Promise<Outcome[]> {
  const status = tasks.map((): Status => 'pending');
  const tell = (): void => deps.call.progress(progressOf(tasks, status));
  const outcomes: Outcome[] = [];
  const left = [...tasks.entries()];
  const worker = async (): Promise<void> => {
    for (let next = left.shift(); next; next = left.shift()) {
      const [at, task] = next;
      status[at] = 'running';
      tell();
      outcomes[at] = await runOne(task, String(at + 1), deps);
      status[at] = outcomes[at].status === 'succeeded' ? 'completed' : 'failed';
      tell();
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, tasks.length) }, worker));
  return outcomes;
}

function progressOf(tasks: readonly Task[], status: readonly Status[]): Progress {
  const done = status.filter((one) => one === 'completed' || one === 'failed').length;
  const detail = tasks.map((task, at) => ({ id: String(at + 1), label: labelOf(task), status: status[at] }));
  return { progress: done, total: tasks.length, detail };
}

async function runOne(task: Task, id: string, { runTask, call, images }: Deps): Promise<Outcome> {
  const facts = { id, label: labelOf(task), tool: task.tool };
  call.signal.throwIfAborted();
  const result = await runTask(task.tool, task.input, { ...call, progress: () => undefined }).catch(
    failureOf,
  );
  call.signal.throwIfAborted();
  if ('refused' in result) return { ...facts, status: 'refused', reason: result.refused };
  images.push(...result.content.filter(({ type }) => type === 'image'));
  const { structuredContent, isError } = result;
  const fits = structuredContent !== undefined && JSON.stringify(structuredContent).length <= CHARACTERS;
  return {
    ...facts,
    status: isError ? 'failed' : 'succeeded',
    ...(fits ? { structuredContent } : { text: clipped(result) }),
  };
}

function failureOf(error: unknown): ToolResult {
  const known = error instanceof Error && error.name === 'Refusal';
  return { content: [{ type: 'text', text: known ? error.message : 'The tool failed.' }], isError: true };
}

function labelOf({ label, tool }: Task): string {
  return label ?? tool;
}

function clipped({ content }: ToolResult): string {
  const text = content
    .map(wordsOf)
    .filter((words) => words !== '')
    .join('\n');
  return text.length <= CHARACTERS
    ? text
    : `${text.slice(0, CHARACTERS).replace(/[\uD800-\uDBFF]$/, '')} [cut off]`;
}

function wordsOf(block: ContentBlock): string {
  if (block.type === 'text') return block.text;
  if (block.type === 'resource_link') return `[Resource ${block.name}: ${block.uri}]`;
  return block.type === 'image' ? '[An image, shown beside.]' : `[${block.type}]`;
}
