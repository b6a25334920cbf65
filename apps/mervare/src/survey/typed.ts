import { answerFaults, type Answers } from './answers.ts';
import type { Question, QuestionType } from './question.ts';

/** What somebody typed or chose, by id of the question, whether it fits or not. */
export type Typed = ReadonlyMap<string, readonly string[]>;

/** What the typed texts come to. */
export interface Read {
  readonly answers: Answers;
  /** Ids of the questions whose answer is missing or does not fit. */
  readonly faulty: ReadonlySet<string>;
}

/** Reads a filled form as answers to these questions. What is blank is no answer. */
export function readTyped(questions: readonly Question[], typed: Typed): Read {
  const given = questions.map(({ id, type }) => [id, readers[type](typed.get(id) ?? [])] as const);
  const answers = Object.fromEntries(given.filter(([, answer]) => answer !== undefined)) as Answers;
  const faulty = answerFaults(questions, answers).map(({ pointer }) => pointer.slice(1));
  return { answers, faulty: new Set(faulty) };
}

type Reader = (texts: readonly string[]) => string | number | readonly string[] | undefined;

const one: Reader = ([text = '']) => text.trim() || undefined;

const several: Reader = (texts) => {
  const chosen = texts.filter((text) => text !== '');
  return chosen.length === 0 ? undefined : chosen;
};

const number: Reader = ([text = '']) => (text.trim() === '' ? undefined : readNumber(text));

const readers: Readonly<Record<QuestionType, Reader>> = {
  single: one,
  multiple: several,
  scale: number,
  number,
  // Forms send every line break as two characters, of which the limits of a question know one.
  text: ([text = '']) => (text.trim() === '' ? undefined : text.replaceAll('\r\n', '\n')),
  date: one,
};

/**
 * The number that people of any country mean by these digits, with either sign before the decimals; NaN where some would mean another,
 * as by 1.250.
 */
export function readNumber(text: string): number {
  const digits = text.replaceAll(/\s/g, '').replace('−', '-');
  if (digits.length > 40 || /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/.test(digits)) return Number.NaN;
  return /^[+-]?\d+([.,]\d+)?$/.test(digits) ? Number(digits.replace(',', '.')) : Number.NaN;
}
