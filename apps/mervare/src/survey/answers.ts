import { z } from 'zod';
import { isStorable, NOT_STORABLE } from '../text/storable.ts';
import type { Fault } from './fault.ts';
import { LONGEST_ANSWER, type Question, type QuestionType } from './question.ts';

/** Answers by id of the question. What was not answered is absent. */
export type Answers = Readonly<Record<string, string | number | readonly string[]>>;

/** Every fault of a set of answers to these questions. */
export function answerFaults(
  questions: readonly Question[],
  answers: Readonly<Record<string, unknown>>,
): Fault[] {
  const unknown = Object.keys(answers).filter((id) => !questions.some((question) => question.id === id));
  return [
    ...unknown.map((id) => ({ pointer: `/${id}`, message: 'is no question' })),
    ...questions.flatMap((question) => answerFault(question, answerTo(answers, question))),
  ];
}

/** What was answered to a question: what every object has, such as `constructor`, is no answer. */
export function answerTo<Answer>(
  answers: Readonly<Record<string, Answer>>,
  { id }: Question,
): Answer | undefined {
  return Object.hasOwn(answers, id) ? answers[id] : undefined;
}

function answerFault(question: Question, answer: unknown): Fault[] {
  const pointer = `/${question.id}`;
  if (answer === undefined) return question.required ? [{ pointer, message: 'is needed' }] : [];
  const read = accepts[question.type](question).safeParse(answer);
  return read.success ? [] : [{ pointer, message: read.error.issues[0]?.message ?? 'does not fit' }];
}

const choice = ({ options = [] }: Question) => z.enum(options.map(({ id }) => id));
const number = ({ min = -Number.MAX_VALUE, max = Number.MAX_VALUE }: Question) =>
  z.number().min(min).max(max);

/** What an answer to a question of each type may be. */
const accepts: Readonly<Record<QuestionType, (question: Question) => z.ZodType>> = {
  single: choice,
  multiple: (question) =>
    z
      .array(choice(question))
      .min(1)
      .refine((chosen) => new Set(chosen).size === chosen.length, 'names a choice twice'),
  scale: (question) => number(question).int(),
  number,
  text: ({ maxLength = LONGEST_ANSWER }) => z.string().min(1).max(maxLength).refine(isStorable, NOT_STORABLE),
  date: () => z.iso.date(),
};
