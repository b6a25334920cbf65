import type { Catalog } from '@portolan/mcp/connect';
import type { Binding } from './owner.ts';
import type { World } from './world.ts';

/** A complete tool list with an id of its own, also where nothing in it has changed. */
export function observed(
  catalog: Catalog,
  { newId, now }: World,
): Pick<Binding, 'catalogId' | 'catalog' | 'observedAt'> {
  return { catalogId: newId(), catalog, observedAt: now().toISOString() };
}
