import type { Question } from '../../survey/question.ts';
import { rangeWords } from './fault-words.ts';
import { Choices, isRow, Line, Lines, Scale, type Field } from './fields.tsx';
import type { Words } from './words/words.ts';

interface QuestionProps {
  readonly words: Words;
  readonly question: Question;
  /** Which one it is, from 1. */
  readonly n: number;
  /** What was typed before. */
  readonly texts: readonly string[];
  /** What is wrong with that. */
  readonly fault: string | undefined;
}

/** The name of a question's field, and what its id begins with. */
export function fieldName(n: number): string {
  return `q${n}`;
}

/** The id of the first field of a question. */
export function anchorOf(question: Question, n: number): string {
  return isGroup(question) ? `${fieldName(n)}-1` : fieldName(n);
}

/** A question, its field, its help, and what is wrong with the answer, tied together for those who hear it. */
export function QuestionField({ words, question, n, texts, fault }: QuestionProps) {
  const name = fieldName(n);
  const notes = [
    { id: `${name}-help`, says: question.help, of: 'help', lang: undefined },
    { id: `${name}-hint`, says: hintOf(words, question), of: 'help', lang: words.lang },
    { id: `${name}-fault`, says: fault, of: 'fault', lang: words.lang },
  ].filter(({ says }) => says !== undefined && says !== '');
  const described = notes.map(({ id }) => id).join(' ') || undefined;
  const field = { words, question, name, texts, described, faulty: fault !== undefined };
  const ask = (
    <>
      <span class="number">{n}</span> <span dir="auto">{question.label}</span>
      {question.required && (
        <span class="needed" lang={words.lang}>
          {' '}
          {words.required}
        </span>
      )}
    </>
  );
  const said = notes.map(({ id, says, of, lang }) => (
    <p id={id} class={of} lang={lang} dir="auto">
      {says}
    </p>
  ));
  const frame = fault === undefined ? 'question' : 'question faulty';
  if (isGroup(question))
    return (
      <fieldset class={frame} aria-describedby={described}>
        <legend>{ask}</legend>
        {said}
        {question.type === 'scale' ? <Scale {...field} /> : <Choices {...field} />}
      </fieldset>
    );
  return (
    <div class={frame}>
      <label for={name}>{ask}</label>
      {said}
      {isLong(field) ? <Lines {...field} /> : <Line {...field} />}
    </div>
  );
}

function isGroup(question: Question): boolean {
  return question.type === 'single' || question.type === 'multiple' || isRow(question);
}

/** Characters that one line has room for. */
const ONE_LINE = 80;

function isLong({ question: { type, maxLength = Infinity } }: Field): boolean {
  return type === 'text' && maxLength > ONE_LINE;
}

function hintOf(words: Words, question: Question): string | undefined {
  const { type, maxLength } = question;
  if (type === 'multiple') return words.several;
  if (type === 'number' || (type === 'scale' && !isRow(question))) return rangeWords(words, question);
  return type === 'text' && maxLength !== undefined ? words.characters(maxLength) : undefined;
}
