/** Kinds of question. */
export const QUESTION_TYPES = ['single', 'multiple', 'scale', 'number', 'text', 'date'] as const;
export type QuestionType = (typeof QUESTION_TYPES)[number];

/** One of the answers that can be chosen. */
export interface Option {
  readonly id: string;
  readonly label: string;
}

/** One question, as an author wrote it. Whether it makes sense is for `faultsOf` to say. */
export interface Question {
  /** Short name that answers refer to. */
  readonly id: string;
  readonly type: QuestionType;
  readonly label: string;
  readonly help?: string | undefined;
  readonly required: boolean;
  /** What can be chosen: of single and multiple. */
  readonly options?: readonly Option[] | undefined;
  /** Least and greatest answer: of scale, where both are needed, and of number. */
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  /** Characters: of text. */
  readonly maxLength?: number | undefined;
}

/** What respondents are shown. */
export interface SurveyText {
  readonly title: string;
  readonly intro: string | null;
  /** BCP 47. */
  readonly language: string;
  readonly questions: readonly Question[];
}

/** Types whose answers are chosen from a list or a scale: what a cross-tabulation can go by. */
export function isCountable({ type }: Question): boolean {
  return type === 'single' || type === 'multiple' || type === 'scale';
}

/** Characters of a text answer, unless the question says less. */
export const LONGEST_ANSWER = 10_000;

/** Steps of a scale. */
export const MOST_STEPS = 101;

/** Questions of a survey. */
export const MOST_QUESTIONS = 200;

/** Options of a question. */
export const MOST_OPTIONS = 100;
