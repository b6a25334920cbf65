import { z } from 'zod';
import { analystModes, type AnalystSettings } from '../analyst/settings.ts';
import { identityDigest, safeName, type Identity } from '../project/identity.ts';
import { release } from '../release.ts';

/** What the runtime does. Nothing gives an agent work by itself yet, so every project is at rest. */
export const Runtime = z.object({ status: z.literal('stopped') });

/** What can be seen of a project and its server at one moment. It carries no authority to change anything. */
export const Observation = z.object({
  project: z.object({ name: z.string(), projectIdentityDigest: z.string() }),
  server: z.object({ release: z.string(), startedAt: z.iso.datetime() }),
  runtime: Runtime,
  analyst: z.object({
    mode: z.enum(analystModes),
    principal: z.string().optional().describe('Holder of the external credential, as configured.'),
    tools: z.array(z.string()).describe('Operations that external clients may call.'),
  }),
  observed_at: z.iso.datetime(),
});
export type Observation = z.infer<typeof Observation>;

/** Makes observations of one running server. */
export function observer(
  identity: Identity,
  analyst: AnalystSettings | undefined,
  now: () => Date,
): () => Observation {
  const project = { name: safeName(identity), projectIdentityDigest: identityDigest(identity) };
  const server = { release, startedAt: now().toISOString() };
  return () => ({
    project,
    server,
    runtime: { status: 'stopped' },
    analyst: {
      mode: analyst?.mode ?? 'internal',
      ...(analyst && { principal: analyst.principal }),
      tools: [...(analyst?.tools ?? [])],
    },
    observed_at: now().toISOString(),
  });
}
