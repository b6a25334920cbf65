import { isLanguage, isName, NO_LANGUAGE, NO_NAME, repeated, when, type Fault } from './fault.ts';
import { LONGEST_ANSWER, MOST_STEPS, type Question, type SurveyText } from './question.ts';

/** Everything that keeps a draft from being published, at once. */
export function faultsOf({ title, language, questions }: SurveyText): Fault[] {
  return [
    ...when(title.trim() === '', '/title', 'is empty'),
    ...when(!isLanguage(language), '/language', NO_LANGUAGE),
    ...when(questions.length === 0, '/questions', 'has no question'),
    ...repeatedIds(questions, '/questions'),
    ...questions.flatMap((question, at) => questionFaults(question, `/questions/${at}`)),
  ];
}

function questionFaults(question: Question, at: string): Fault[] {
  const { id, type, label, options, min, max, maxLength } = question;
  const chosen = type === 'single' || type === 'multiple';
  const bounded = type === 'scale' || type === 'number';
  return [
    ...when(!isName(id), `${at}/id`, NO_NAME),
    ...when(label.trim() === '', `${at}/label`, 'is empty'),
    ...when(!chosen && options !== undefined, `${at}/options`, `is not for ${type}`),
    ...(chosen ? optionFaults(question, at) : []),
    ...when(!bounded && min !== undefined, `${at}/min`, `is not for ${type}`),
    ...when(!bounded && max !== undefined, `${at}/max`, `is not for ${type}`),
    ...(type === 'scale' ? scaleFaults(question, at) : []),
    ...when(min !== undefined && max !== undefined && min > max, `${at}/max`, 'is less than min'),
    ...when(type !== 'text' && maxLength !== undefined, `${at}/maxLength`, `is not for ${type}`),
    ...when(
      maxLength !== undefined && (maxLength < 1 || maxLength > LONGEST_ANSWER),
      `${at}/maxLength`,
      `is not between 1 and ${LONGEST_ANSWER}`,
    ),
  ];
}

function optionFaults({ options = [] }: Question, at: string): Fault[] {
  return [
    ...when(options.length < 2, `${at}/options`, 'has fewer than two'),
    ...repeatedIds(options, `${at}/options`),
    ...options.flatMap(({ id, label }, n) => [
      ...when(!isName(id), `${at}/options/${n}/id`, NO_NAME),
      ...when(label.trim() === '', `${at}/options/${n}/label`, 'is empty'),
    ]),
  ];
}

function scaleFaults({ min, max }: Question, at: string): Fault[] {
  const wrong = (end: number | undefined) => end === undefined || !Number.isInteger(end);
  const steps = (max ?? 0) - (min ?? 0) + 1;
  return [
    ...when(wrong(min), `${at}/min`, 'is needed for a scale, as a whole number'),
    ...when(wrong(max), `${at}/max`, 'is needed for a scale, as a whole number'),
    ...when(
      !wrong(min) && !wrong(max) && steps > MOST_STEPS,
      `${at}/max`,
      `makes more than ${MOST_STEPS} steps`,
    ),
  ];
}

function repeatedIds(things: readonly { readonly id: string }[], at: string): Fault[] {
  return repeated(
    things.map(({ id }) => id),
    (n) => `${at}/${n}/id`,
  );
}
