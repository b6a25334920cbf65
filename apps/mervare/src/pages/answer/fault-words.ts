import { LONGEST_ANSWER, type Question } from '../../survey/question.ts';
import { readNumber } from '../../survey/typed.ts';
import { isRow } from './fields.tsx';
import type { Words } from './words/words.ts';

/** What is wrong with a faulty answer, in words that help to right it. */
export function faultWords(words: Words, question: Question, [text = '']: readonly string[]): string {
  const { type, maxLength = LONGEST_ANSWER } = question;
  if (text.trim() === '') return words.missing[type === 'scale' && !isRow(question) ? 'number' : type];
  if (type === 'single' || type === 'multiple') return words.notOffered;
  if (type === 'date') return words.notDate;
  if (type === 'text')
    return text.length > maxLength ? words.tooLong(maxLength, text.length) : words.oddCharacter;
  const number = readNumber(text);
  if (Number.isNaN(number)) return words.notNumber;
  if (type === 'scale' && !Number.isInteger(number)) return words.notWhole;
  return rangeWords(words, question) ?? words.notNumber;
}

/** Which numbers a question takes; undefined where it takes all. */
export function rangeWords(words: Words, { min, max }: Question): string | undefined {
  if (min !== undefined && max !== undefined) return words.range(min, max);
  if (min !== undefined) return words.atLeast(min);
  return max === undefined ? undefined : words.atMost(max);
}
