import { z } from 'zod';
import { hasHiddenKey } from '../config/hidden.ts';
import { Configuration } from '../config/schema.ts';

/** A server as saivage.yaml writes it, its values still those of the client's file. */
export type Written =
  | {
      readonly transport: 'stdio';
      readonly command: string;
      readonly args?: readonly string[] | undefined;
      readonly env?: Readonly<Record<string, string>> | undefined;
      readonly disabled?: true;
    }
  | { readonly transport: 'streamable-http'; readonly url: string; readonly disabled?: true };

/** One entry of a client's `mcpServers` block: as saivage.yaml writes it, or why it cannot. */
export type Verdict =
  { readonly server: Written; readonly dropped: readonly string[] } | { readonly reason: string };

const Common = z.looseObject({ type: z.string().optional(), disabled: z.boolean().optional() });
const Stdio = Common.extend({
  command: z.string(),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
});
const Http = Common.extend({ url: z.string() });
const Entry = z.union([
  Stdio.transform(({ type, disabled, command, args, env, ...more }) => ({
    type,
    server: { transport: 'stdio' as const, command, args, env, ...off(disabled) },
    dropped: Object.keys(more),
  })),
  Http.transform(({ type, disabled, url, ...more }) => ({
    type,
    server: { transport: 'streamable-http' as const, url, ...off(disabled) },
    dropped: Object.keys(more),
  })),
]);

/** Reads one entry of the block. A verdict holds nothing of its values. */
export function readEntry(name: string, sent: unknown): Verdict {
  if (name === '__proto__' || hasHiddenKey(sent)) return { reason: 'the key __proto__ is not allowed' };
  const { data: entry } = Entry.safeParse(sent);
  if (!entry) return { reason: 'its entry has neither a command nor a URL in the usual form' };
  const { type, server, dropped } = entry;
  if (type === 'sse') return { reason: 'it speaks the old SSE transport' };
  const reason = faultOf(name, server);
  return reason === undefined ? { server, dropped } : { reason };
}

function off(disabled: boolean | undefined): { readonly disabled?: true } {
  return disabled ? { disabled } : {};
}

function faultOf(name: string, server: Written): string | undefined {
  const [issue] = Configuration.safeParse({ mcpServers: { [name]: server } }).error?.issues ?? [];
  if (!issue) return undefined;
  const says = issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message;
  return `${issue.path.slice(2).join('.') || 'its name'} ${says}`;
}
