import { LONGEST_ANSWER, type Question } from '../../survey/question.ts';
import type { Words } from './words.ts';

/** What a field is made of. */
export interface Field {
  readonly words: Words;
  readonly question: Question;
  readonly name: string;
  readonly texts: readonly string[];
  /** Ids of what describes it. */
  readonly described: string | undefined;
  readonly faulty: boolean;
}

/** Steps of a scale that have room in a row; a longer one is answered by a number. */
const ROW = 11;

/** True for a scale whose steps are shown. */
export function isRow({ type, min = 0, max = -1 }: Question): boolean {
  return type === 'scale' && max >= min && max - min < ROW;
}

/** Options one below the other. Who chose one and would rather not can say so. */
export function Choices({ words, question, name, texts }: Field) {
  const { type, options = [], required } = question;
  const kind = type === 'multiple' ? 'checkbox' : 'radio';
  const none = kind === 'radio' && !required ? [{ id: '', label: words.noAnswer }] : [];
  return (
    <div class="choices">
      {[...options, ...none].map(({ id, label }, at) => (
        <label class="pick">
          <input id={`${name}-${at + 1}`} type={kind} name={name} value={id} checked={texts.includes(id)} />
          <span dir="auto">{label}</span>
        </label>
      ))}
    </div>
  );
}

/** The steps of a scale in a row. */
export function Scale({ words, question, name, texts }: Field) {
  const { min = 0, max = 0, required } = question;
  const steps = Array.from({ length: max - min + 1 }, (_, step) => String(min + step));
  return (
    <div class="steps">
      {steps.map((step, at) => (
        <label class="pick">
          <input
            id={`${name}-${at + 1}`}
            type="radio"
            name={name}
            value={step}
            checked={texts.includes(step)}
          />
          <span>{step}</span>
        </label>
      ))}
      {!required && (
        <label class="pick none">
          <input type="radio" name={name} value="" checked={texts.includes('')} />
          <span>{words.noAnswer}</span>
        </label>
      )}
    </div>
  );
}

/** A line for a number, a day or a few words. */
export function Line({ question, name, texts, described, faulty }: Field) {
  const { type, maxLength, required } = question;
  const isNumber = type === 'number' || type === 'scale';
  return (
    <input
      id={name}
      name={name}
      class={type === 'text' ? 'words' : 'short'}
      type={type === 'date' ? 'date' : 'text'}
      {...(isNumber && { inputmode: 'decimal' as const, maxlength: 60 })}
      {...(maxLength !== undefined && { maxlength: maxLength })}
      autocomplete="off"
      value={texts[0]}
      aria-describedby={described}
      aria-required={required}
      aria-invalid={faulty}
    />
  );
}

/** Room for an answer in the respondent's own words. */
export function Lines({ question, name, texts, described, faulty }: Field) {
  return (
    <textarea
      id={name}
      name={name}
      rows={5}
      maxlength={question.maxLength ?? LONGEST_ANSWER}
      dir="auto"
      aria-describedby={described}
      aria-required={question.required}
      aria-invalid={faulty}
    >
      {texts[0]}
    </textarea>
  );
}
