import type { ClientTool } from '@sveda-ai/protocol/events';

/** What a handler learns of its call. */
export interface FrontendCall {
  readonly chatId: string;
  readonly toolCallId: string;
}

/** A tool that the page offers and runs itself. */
export interface FrontendTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: Record<string, unknown>;
  /** `required`: the visitor approves each call before the handler runs. */
  readonly confirmation?: 'required';
  handler(input: Record<string, unknown>, call: FrontendCall): unknown;
}

/** What a handler came to: what it returned, as JSON, or in a sentence why it failed. */
export type HandlerResult = { readonly output: unknown } | { readonly error: string };

/** Results that are remembered, so that no call runs twice while the page lives. */
const REMEMBERED = 1_000;

/** The tools of a page. One registry may serve several clients; every call runs once in it, whoever asks. */
export class SvedaToolRegistry {
  readonly #tools = new Map<string, FrontendTool>();
  readonly #results = new Map<string, Promise<HandlerResult>>();

  /** Adds a tool, in place of one with the same name. Returns what takes it out again. */
  register(tool: FrontendTool): () => void {
    this.#tools.set(tool.name, tool);
    return () => {
      if (this.#tools.get(tool.name) === tool) this.#tools.delete(tool.name);
    };
  }

  /** What goes out with a post, read at that moment. */
  specs(): ClientTool[] {
    return [...this.#tools.values()].map(({ name, description, parameters, confirmation }) => ({
      name,
      description,
      parameters,
      ...(confirmation === 'required' && { confirmation }),
    }));
  }

  /** Runs a call, or gives the result of its first run. Never rejects. */
  run(name: string, input: Record<string, unknown>, call: FrontendCall): Promise<HandlerResult> {
    const key = `${call.chatId} ${call.toolCallId}`;
    const known = this.#results.get(key);
    if (known) return known;
    const result = runHandler(this.#tools.get(name), name, input, call);
    this.#results.set(key, result);
    const oldest = this.#results.keys().next().value;
    if (this.#results.size > REMEMBERED && oldest !== undefined) this.#results.delete(oldest);
    return result;
  }
}

async function runHandler(
  tool: FrontendTool | undefined,
  name: string,
  input: Record<string, unknown>,
  call: FrontendCall,
): Promise<HandlerResult> {
  if (!tool) return { error: `The page has no tool named ${name}.` };
  try {
    return { output: asJson(await tool.handler(input, call)) };
  } catch (error) {
    return { error: (error instanceof Error ? error.message : String(error)).slice(0, 4_000) };
  }
}

/** What a handler returned, as JSON has it: undefined becomes null, and what JSON cannot hold is an error. */
function asJson(value: unknown): unknown {
  const json = JSON.stringify(value) as string | undefined;
  return json === undefined ? null : (JSON.parse(json) as unknown);
}
