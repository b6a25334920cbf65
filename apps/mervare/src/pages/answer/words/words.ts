import type { Question } from '../../../survey/question.ts';
import type { Standing } from '../../../survey/visit.ts';

/** What the page itself says, beside the words of a survey. */
export interface Words {
  /** BCP 47. */
  readonly lang: string;
  readonly skip: string;
  readonly length: (questions: number, required: number) => string;
  readonly required: string;
  readonly noAnswer: string;
  readonly several: string;
  readonly range: (min: number, max: number) => string;
  readonly atLeast: (min: number) => string;
  readonly atMost: (max: number) => string;
  readonly characters: (most: number) => string;
  readonly keep: string;
  readonly send: string;
  readonly once: string;
  readonly privacy: string;
  readonly kept: string;
  readonly error: string;
  readonly faulty: (questions: number) => string;
  readonly thanks: string;
  readonly thanked: string;
  readonly preview: string;
  readonly previewThanks: string;
  /** Why a link takes no answer now. */
  readonly refusals: Readonly<Record<Exclude<Standing, 'open'> | 'unknown' | 'previewOver', Sentence>>;
  /** Why an answer was not taken, when nothing was answered. */
  readonly missing: Readonly<Record<Question['type'], string>>;
  readonly notOffered: string;
  readonly notWhole: string;
  readonly notNumber: string;
  readonly notDate: string;
  readonly tooLong: (most: number, now: number) => string;
  readonly oddCharacter: string;
}

/** What is the matter, and one plain sentence more. */
export interface Sentence {
  readonly title: string;
  readonly says: string;
}
