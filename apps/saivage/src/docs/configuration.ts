import { defaultAgents } from '../agents/defaults.ts';
import { generated, table } from './markdown.ts';

/** The parts of JSON Schema that the configuration uses. */
interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
}

/** The page of every key of saivage.yaml, from its JSON Schema. */
export function configurationPage(schema: Schema): string {
  return generated([
    '# Saivage: configuration',
    '`.saivage/saivage.yaml`. Every key is optional where its parent is left out. Unknown keys are faults, and all faults are ' +
      'reported at once with line and column. `${NAME}` is replaced by an environment variable in the values of ' +
      '`providers` and of `mcpServers.*.env`, nowhere else.',
    'Five agents exist without being written down, each with its operations:',
    table(
      ['agent', 'operations'],
      Object.entries(defaultAgents).map(([name, tools]) => [name, tools.join(', ')]),
    ),
    'An agent that is written down has exactly the tools that stand there. An agent without a route has no model and cannot ' +
      'take a turn; a server can do without.',
    table(['key', 'type', 'default', 'meaning'], rows(schema, '')),
  ]);
}

/** One row for every key that can be written, outer ones first. */
function rows(schema: Schema, path: string): string[][] {
  return children(schema).flatMap(([step, child]) => {
    const at = `${path}${step}`.replace(/^\./, '');
    return [row(at, child), ...rows(child, at)];
  });
}

function row(path: string, schema: Schema): string[] {
  const preset = schema.default === undefined ? '' : `\`${JSON.stringify(schema.default)}\``;
  return [`\`${path}\``, typeOf(schema), preset, schema.description ?? ''];
}

function children(schema: Schema): [string, Schema][] {
  const { properties = {}, additionalProperties: named, items, oneOf = [] } = schema;
  const isObject = (one: Schema | boolean | undefined): one is Schema => typeof one === 'object';
  return [
    ...Object.entries(properties).map(([name, child]): [string, Schema] => [`.${name}`, child]),
    ...(isObject(named) ? [['.*', named] satisfies [string, Schema]] : []),
    ...(isObject(items) && items.properties ? [['[]', items] satisfies [string, Schema]] : []),
    ...oneOf.map((variant): [string, Schema] => [` (${kindOf(variant)})`, variant]),
  ];
}

/** What tells a variant from its neighbours: its first key. */
function kindOf({ properties = {} }: Schema): string {
  const [first] = Object.values(properties);
  return first?.const ?? first?.enum?.join(', ') ?? '';
}

function typeOf({ type, enum: choices, const: fixed, oneOf }: Schema): string {
  if (fixed !== undefined) return `\`${fixed}\``;
  if (choices) return choices.map((choice) => `\`${choice}\``).join(' or ');
  return type ?? (oneOf ? 'object' : '');
}
