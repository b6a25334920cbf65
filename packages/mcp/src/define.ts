import { z } from 'zod';
import type { Access, Caller } from './access.ts';
import { Refusal } from './errors.ts';
import { outcome, structured, type AnswerShape, type ToolResult } from './answer.ts';

/** What a tool does to the world. One required word; the MCP annotations follow from it. */
export type Effect = 'reads' | 'writes' | 'destroys';

/** Everything a handler gets besides its input. */
export interface Call<Deps> {
  readonly deps: Deps;
  readonly caller: Caller;
  readonly signal: AbortSignal;
}

/** A tool before its handler: pure data, so importing a registry opens nothing. */
export interface Definition<
  I extends z.ZodObject,
  O extends z.ZodType,
  Scope extends string,
  Grant extends string,
> {
  readonly title: string;
  /** For the model: what it answers, and where the ids that it takes come from. */
  readonly says: string;
  readonly access: Access<Scope, Grant>;
  readonly effect: Effect;
  /** Repeating the call changes nothing further. Reads always are. */
  readonly idempotent?: boolean;
  /** It reaches systems beyond our own. */
  readonly openWorld?: boolean;
  readonly input: I;
  readonly output: O;
  /** Must parse; shown in the documents. */
  readonly example: z.input<I>;
  /** `_meta` of the listed tool, for example `{ confirmation: 'required' }`. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** A tool as tools/list shows it (MCP 2025-11-25 and 2026-07-28, `Tool`). */
export interface ToolDescriptor {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  readonly annotations?: Readonly<Record<string, boolean | string>>;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** One tool value: what is listed, who may call it, and how it runs. */
export interface Tool<Deps = unknown> {
  readonly name: string;
  readonly access: Access;
  readonly effect: Effect;
  readonly example: unknown;
  /** Made at first use and kept: the schemas of a hundred tools cost tens of milliseconds. */
  readonly descriptor: ToolDescriptor;
  /** Validates, runs, validates the output. Throws nothing but what `refusal` cannot show. */
  run(input: unknown, call: Call<Deps>): Promise<ToolResult>;
}

/**
 * Binds the vocabulary of an app (scopes, grants, dependencies) and the shape of its answers.
 * Definition first, handler second: that order lets TypeScript accept right handlers and refuse wrong ones.
 */
export function toolsFor<Deps, Scope extends string = never, Grant extends string = never>(
  shape: AnswerShape = structured,
) {
  return <I extends z.ZodObject, O extends z.ZodType>(
    name: string,
    definition: Definition<I, O, Scope, Grant>,
  ) => ({
    /** Attaches the handler: it gets parsed input and answers what `output` accepts. */
    run(handler: (input: z.output<I>, call: Call<Deps>) => Promise<z.input<O>>): Tool<Deps> {
      let descriptor: ToolDescriptor | undefined;
      return {
        name,
        access: definition.access,
        effect: definition.effect,
        example: definition.example,
        get descriptor() {
          return (descriptor ??= describe(name, definition, shape));
        },
        async run(input, call) {
          const parsed = definition.input.safeParse(input);
          if (!parsed.success) {
            return { ...shape.refusal(invalidInput(parsed.error)), [outcome]: 'rejected' };
          }
          try {
            return shape.success(definition.output.parse(await handler(parsed.data, call)));
          } catch (error) {
            if (error instanceof Refusal) return shape.refusal(error);
            throw error;
          }
        },
      };
    },
  });
}

function describe(
  name: string,
  definition: Definition<z.ZodObject, z.ZodType, string, string>,
  shape: AnswerShape,
): ToolDescriptor {
  const { title, says, effect, idempotent = effect === 'reads', openWorld = false, meta } = definition;
  return {
    name,
    title,
    description: says,
    inputSchema: listed(z.toJSONSchema(definition.input, { io: 'input' })),
    outputSchema: listed(z.toJSONSchema(shape.schema(definition.output), { io: 'output' })),
    annotations: {
      readOnlyHint: effect === 'reads',
      destructiveHint: effect === 'destroys',
      idempotentHint: idempotent,
      openWorldHint: openWorld,
    },
    ...(meta && { _meta: meta }),
  };
}

/**
 * The schema without `$schema`, since 2020-12 is what MCP reads without it. A union of objects says that it is an
 * object: clients of the revisions up to 2025-11-25 refuse any other root.
 */
function listed(whole: Schema): Schema {
  const { $schema: _, ...schema } = whole;
  const branches = schema.anyOf ?? schema.oneOf ?? [];
  const united =
    branches.length > 0 && branches.every((one) => typeof one === 'object' && one.type === 'object');
  return united ? { type: 'object', ...schema } : schema;
}

type Schema = z.core.JSONSchema.BaseSchema;

function invalidInput(error: z.ZodError): Refusal {
  return new Refusal('invalid_input', `The arguments do not fit the schema.\n${z.prettifyError(error)}`);
}
