/** A server that is a local process, spoken to over its stdin and stdout. */
export interface StdioDefinition {
  readonly transport: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** All that the process gets: nothing of ours is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute path of the folder that it works in. */
  readonly cwd: string;
}

/** A server reached by Streamable HTTP. */
export interface HttpDefinition {
  readonly transport: 'streamable-http';
  readonly url: URL;
  /** Sent with every request, for example Authorization. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Where a server is and how it is spoken to. */
export type Definition = StdioDefinition | HttpDefinition;
