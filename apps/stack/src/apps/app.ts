import type { Command } from '../command.ts';
import type { Home } from '../home.ts';
import type { Ports } from '../ports.ts';
import type { Secrets } from '../secrets.ts';

/** One system of the stack. To add one is to write one of these and name it in `list.ts`. */
export interface App {
  readonly name: string;
  /** The usual port of each listener, by the variable that may name another. */
  readonly ports: Ports;
  /** Variables of the secrets that the stack makes for this app. No other app is given them, unless it names them too. */
  readonly secrets: readonly string[];
  /** Those of the secrets that a person types: each is shown once, on a terminal, when it is made. What it is, by variable. */
  readonly shownOnce?: Readonly<Record<string, string>>;
  /** Brings about what the app needs before it starts, and says how to start it. Called before every start. */
  readonly prepare: (place: Place) => Promise<Launch>;
  /** What the stack tells of the app once it is ready. */
  readonly tell: (endpoint: Endpoint, place: Place) => Told;
}

/** What an app is given to run in. */
export interface Place {
  readonly home: Home;
  /** Of every listener of the stack. */
  readonly ports: Ports;
  /** What the operator says of the model (`PORTOLAN_MODEL_URL`, `_KEY` and `_NAME`) and of programs with a token. */
  readonly settings: Readonly<Record<string, string | undefined>>;
  /** Those that the app asked for. */
  readonly secrets: Secrets;
  /** The ordinary variables of every process; `secrets` are not among them. */
  readonly environment: Readonly<Record<string, string>>;
}

/** How an app is started, and the `endpoint.json` that it writes when it is ready. The secrets are added to `env`. */
export interface Launch extends Command {
  readonly endpoint: string;
}

/** What a ready app says of itself. */
export interface Endpoint {
  readonly pid: number;
  readonly startTime: number;
  readonly origin: string;
  readonly [more: string]: unknown;
}

/** What is told of a ready app. */
export interface Told {
  /** Its part of `stack.json`. */
  readonly facts: Readonly<Record<string, string>>;
  /** Addresses for a person, each with what is there. */
  readonly addresses: readonly { readonly url: string; readonly says: string }[];
  /** MCP servers that a client may use, by name. */
  readonly clients: Readonly<Record<string, McpClient>>;
}

/** How an MCP client reaches a server over Streamable HTTP. */
export interface McpClient {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}
