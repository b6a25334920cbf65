import { cases } from './requirements/cases.ts';
import { mervare } from './requirements/mervare.ts';
import { saivage } from './requirements/saivage.ts';
import { sveda } from './requirements/sveda.ts';

/** One promise: what must be true, in a sentence, and how far this repository claims it. */
export interface Requirement {
  readonly says: string;
  /** `whole`: every part holds and is tested. `partly`: the named behaviours hold. `open`: not claimed yet. */
  readonly claim: 'whole' | 'partly' | 'open';
  /** Behaviours behind the id, cited as `SAI-22.3`. Each needs a test of its own once it stands here. */
  readonly behaviours?: Readonly<Record<number, string>>;
}

/** Every promise by its id. Tests cite ids in their titles: `it('SAI-22.3 refuses a foreign path', …)`. */
export const requirements: Readonly<Record<string, Requirement>> = {
  ...saivage,
  ...mervare,
  ...sveda,
  ...cases,
};

/** The ids that need a test: claimed promises, or each of their behaviours where they are spelled out. */
export function claimedIds(): string[] {
  return Object.entries(requirements)
    .filter(([, { claim }]) => claim !== 'open')
    .flatMap(([id, { behaviours }]) =>
      behaviours ? Object.keys(behaviours).map((number) => `${id}.${number}`) : [id],
    );
}

/** True for an id, or a behaviour of it, that stands in the list. */
export function isKnown(cited: string): boolean {
  const [id = '', behaviour] = cited.split('.');
  const requirement = requirements[id];
  if (!requirement) return false;
  return behaviour === undefined || requirement.behaviours?.[Number(behaviour)] !== undefined;
}
