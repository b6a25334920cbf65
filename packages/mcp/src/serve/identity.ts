/** What stands in the opening answers and, in the modern era, in every result. */
export interface Identity {
  readonly serverInfo: { readonly name: string; readonly title?: string; readonly version: string };
  readonly serverInfoJson: string;
  readonly capabilities: Readonly<Record<string, object>>;
  readonly instructions?: string;
  readonly meta?: Readonly<Record<string, unknown>>;
}

interface Parts {
  readonly server: { readonly name: string; readonly title?: string; readonly release: string };
  readonly resources?: readonly unknown[];
  readonly templates?: readonly unknown[];
  readonly instructions?: string;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** Introduces a surface: resources are announced only where there are any. */
export function identityOf(parts: Parts, version: string): Identity {
  const { instructions, meta, resources = [], templates = [] } = parts;
  const { release: _, ...named } = parts.server;
  const serverInfo = { ...named, version };
  return {
    serverInfo,
    serverInfoJson: JSON.stringify(serverInfo),
    capabilities: { tools: {}, ...(resources.length + templates.length > 0 && { resources: {} }) },
    ...(instructions !== undefined && { instructions }),
    ...(meta && { meta }),
  };
}
