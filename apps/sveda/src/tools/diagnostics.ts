import type { Catalogue, LeftOut } from './catalogue.ts';
import { sourceOf } from './found.ts';
import type { Failed } from './gather.ts';
import { escaped } from './names.ts';

/** The tools of a turn's last segment, for the operator: which were offered, which were not and by which rule, what failed. */
export interface Diagnostics {
  readonly offered: readonly {
    readonly name: string;
    readonly source: string;
    /** The name that the model knows, where it is another. */
    readonly alias?: string;
    readonly confirmation?: 'required';
  }[];
  readonly refused: readonly LeftOut[];
  readonly failed: readonly Failed[];
  /** Names of tools whose definition is not the one that the chat knew. */
  readonly changed: readonly string[];
}

export function diagnosticsOf(
  { entries, refused, changed }: Catalogue,
  unusable: readonly LeftOut[],
  failed: readonly Failed[],
): Diagnostics {
  return {
    offered: [...entries.values()].map(({ tool, governed, offered }) => ({
      name: escaped(governed.name),
      source: sourceOf(tool),
      ...(offered.shownAs !== undefined && { alias: offered.name }),
      ...(offered.confirmation && { confirmation: offered.confirmation }),
    })),
    refused: [...refused, ...unusable],
    failed,
    changed: changed.map(escaped),
  };
}
