import { Refusal } from '@portolan/mcp/tool';

/** Throws a Refusal, which tells the current version, when somebody else has changed what the caller read. */
export function requireVersion({ version }: { readonly version: number }, expected: number): void {
  if (version !== expected)
    throw new Refusal('conflict', `It has changed: its version is ${version} now. Read it again.`, {
      version,
    });
}
