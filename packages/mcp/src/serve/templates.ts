import { UriTemplate } from '@modelcontextprotocol/server';
import type { Resource, ResourceTemplate } from './resource.ts';

/** Finds the first template that a URI fits, and reads through it. */
export function matching<Deps>(
  all: readonly ResourceTemplate<Deps>[],
): (uri: string) => Pick<Resource<Deps>, 'uri' | 'mimeType' | 'read'> | undefined {
  const compiled = all.map((one) => ({ one, pattern: new UriTemplate(one.uriTemplate) }));
  return (uri) => {
    for (const { one, pattern } of compiled) {
      const variables = pattern.match(uri);
      if (variables) {
        return {
          uri,
          ...(one.mimeType !== undefined && { mimeType: one.mimeType }),
          read: (call) => one.read(variables, call),
        };
      }
    }
    return undefined;
  };
}
