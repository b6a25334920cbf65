import type { Call } from '../define.ts';

/** What reading a resource gives: text, or bytes. */
export type ResourceBody = { readonly text: string } | { readonly bytes: Uint8Array };

interface Described {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
}

/** A resource at a fixed URI. A refusal with the code `not_found` answers like an unknown URI. */
export interface Resource<Deps = unknown> extends Described {
  readonly uri: string;
  read(call: Call<Deps>): Promise<ResourceBody>;
}

/** Resources behind an RFC 6570 template. The variables arrive decoded and unchecked. */
export interface ResourceTemplate<Deps = unknown> extends Described {
  readonly uriTemplate: string;
  read(variables: Readonly<Record<string, string | string[]>>, call: Call<Deps>): Promise<ResourceBody>;
}

/** A resource or template as lists show it: everything but how it is read. */
export function listed<Deps>(one: Resource<Deps> | ResourceTemplate<Deps>): object {
  const { name, title, description, mimeType } = one;
  const address = 'uri' in one ? { uri: one.uri } : { uriTemplate: one.uriTemplate };
  return { ...address, name, title, description, mimeType };
}
