import type { Variant } from './variant.ts';

/**
 * Every variant by name, in the order of the report. Loaded only in its own process: some of these libraries
 * replace globals, and none may pay for another.
 */
export const variants: Readonly<Record<string, () => Promise<{ readonly variant: Variant }>>> = {
  raw: () => import('./variants/raw.ts'),
  'raw-preserialised': () => import('./variants/raw-preserialised.ts'),
  portolan: () => import('./variants/portolan.ts'),
  'portolan-edge': () => import('./variants/portolan-edge.ts'),
  'sdk2-tuned': () => import('./variants/sdk2-tuned.ts'),
  'sdk2-documented': () => import('./variants/sdk2-documented.ts'),
  'sdk1-shared': () => import('./variants/sdk1-shared.ts'),
  'sdk1-documented': () => import('./variants/sdk1-documented.ts'),
  fastmcp: () => import('./variants/fastmcp.ts'),
};
