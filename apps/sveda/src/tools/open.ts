import { openCalls } from '@portolan/agent';
import type { Logger } from '@portolan/http';
import type { PolicyDocument } from '@sveda-ai/protocol';
import type { Kysely } from 'kysely';
import type { Visitor } from '../embed/tokens.ts';
import type { Tables } from '../tables.ts';
import type { Admitted } from '../turn/admission.ts';
import type { TurnTools } from '../turn/segments.ts';
import { builtinTools, spawnTasks, type Ground } from './builtin/builtin.ts';
import { catalogueOf } from './catalogue.ts';
import { diagnosticsOf } from './diagnostics.ts';
import { dispatchOver, sourceOver } from './dispatch.ts';
import type { FoundTool } from './found.ts';
import { gather, type Failed, type Gathered } from './gather.ts';
import { keepMemory, readMemory, type Memory } from './memory.ts';
import { pageTools } from './page.ts';
import { documentsOf, ruleAgainst, type Documents } from './policy.ts';
import type { RuntimeServer, RuntimeServers } from './runtime.ts';
import { taskRunner } from './tasks.ts';
import { contextNote, instructionsNote, marked, MARKS } from './untrusted-text.ts';
import type { Verdicts } from './verdicts.ts';

/** What the tools of this server stand on. What is a function may change while the server runs. */
export interface ToolOptions {
  readonly db: Kysely<Tables>;
  readonly policies: () => Readonly<Record<string, PolicyDocument>>;
  readonly servers: () => Readonly<Record<string, RuntimeServer>>;
  readonly ground: () => Ground;
  readonly contextTokens: () => number;
  readonly runtime: RuntimeServers;
  readonly verdicts: Verdicts;
  readonly log: Logger;
}

/** Opens the tools of one segment: asks every source, lets the catalogue judge, and hands the loop the one way to what is left. */
export async function openTools(
  options: ToolOptions,
  visitor: Visitor,
  admitted: Admitted,
  signal: AbortSignal,
): Promise<TurnTools> {
  const { chatId, context } = admitted;
  const asked = { credentials: visitor.host, meta: { chatId, context }, servers: options.servers() };
  const gathered = await gather(asked, options, signal);
  try {
    return await judged(options, visitor, admitted, gathered);
  } catch (error) {
    await gathered.close();
    throw error;
  }
}

async function judged(
  options: ToolOptions,
  visitor: Visitor,
  { chatId, turnId, clientTools, context, transcript, after }: Admitted,
  gathered: Gathered,
): Promise<TurnTools> {
  const documents = (): Documents => documentsOf(visitor, options.policies());
  const others = [...(gathered.host?.tools ?? []), ...gathered.runtime.flatMap(({ supply }) => supply.tools)];
  const page = pageTools(clientTools);
  const strangers = [...others, ...page.tools];
  const spawn = mayRun(gathered.host?.tools, documents()) ? [spawnTasks((...task) => runTask(...task))] : [];
  const found = [...builtinTools(options.ground()), ...spawn, ...strangers];
  const known: Memory = strangers.length > 0 ? await readMemory(options.db, chatId) : new Map();
  const catalogue = catalogueOf(found, documents(), known);
  if (strangers.length > 0) await keepMemory(options.db, chatId, known, catalogue.memory);
  if (catalogue.changed.length > 0)
    options.log.warn(
      { turn: turnId, tools: catalogue.changed },
      'definitions of tools changed within a chat',
    );

  const carried = new Set(openCalls(transcript.lastStep).map(({ callId }) => callId));
  const dispatch = dispatchOver(catalogue, { documents, carried });
  const runTask = taskRunner(catalogue, dispatch);
  return {
    sources: [sourceOver(catalogue, dispatch)],
    notes: [MARKS, ...notesOf(gathered), ...(context ? [contextNote(context)] : [])],
    notices: noticesOf(gathered.failed, after === 0),
    diagnostics: diagnosticsOf(catalogue, [...unusableOf(gathered), ...page.unusable], gathered.failed),
    contextTokens: options.contextTokens(),
    mark: marked,
    close: () => gathered.close(),
  };
}

/** Tasks need a host with a tool that they may call. */
function mayRun(tools: readonly FoundTool[] | undefined, documents: Documents): boolean {
  return (tools ?? []).some((tool) => ruleAgainst(documents, { ...tool, ownName: tool.name }) === undefined);
}

function unusableOf({ host, runtime }: Gathered) {
  return [host, ...runtime.map(({ supply }) => supply)].flatMap((supply) => supply?.unusable ?? []);
}

function notesOf({ host, runtime, failed }: Gathered): string[] {
  const missing = failed.map(
    ({ source }) => `${namedFor(source)} are not available at the moment. Say so when they would be needed.`,
  );
  const described = [
    ...(host?.instructions ? [instructionsNote('the site', host.instructions)] : []),
    ...runtime.flatMap(({ name, supply }) =>
      supply.instructions ? [instructionsNote(`the server ${name}`, supply.instructions)] : [],
    ),
  ];
  return [...missing, ...described];
}

/** The visitor is told of the site's tools whenever they are missing, of others once a turn. */
function noticesOf(failed: readonly Failed[], isFirst: boolean): TurnTools['notices'] {
  return failed
    .filter(({ source }) => isFirst || source === 'host')
    .map(({ source }) => ({
      code: 'tools_unavailable',
      message: `${namedFor(source)} are not available at the moment.`,
    }));
}

function namedFor(source: string): string {
  return source === 'host' ? 'The tools of this site' : `The tools of ${source.slice('runtime '.length)}`;
}
