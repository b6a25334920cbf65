import type { Person } from './person.ts';

/** What a client is told: an address. The rest is on the machine that it runs on. */
export interface Occasion {
  readonly endpoint: string;
  readonly person: Person;
  /** Empty, and its own. */
  readonly folder: string;
  /** The tool to call, with its arguments. */
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What a client was given. */
export interface Got {
  /** Names of the tools that it was listed. */
  readonly listed: readonly string[];
  /** The structured content of its call. */
  readonly answered: unknown;
}

/** A client that others wrote. */
export interface Client {
  readonly name: string;
  /** The package that it is, for its version. */
  readonly from: string;
  /** Connects from an empty memory by the address alone, lists and calls, and ends. */
  use(occasion: Occasion): Promise<Got>;
}
