import { LONGEST_ANSWER, type Question } from '../../survey/question.ts';
import type { Words } from './words/words.ts';

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

/** Options one below the other. */
export function Choices(field: Field) {
  const { question, name, texts } = field;
  const { type, options = [] } = question;
  const kind = type === 'multiple' ? 'checkbox' : 'radio';
  return (
    <div class="choices">
      {options.map(({ id, label }, at) => (
        <label class="pick">
          <input id={`${name}-${at + 1}`} type={kind} name={name} value={id} checked={texts.includes(id)} />
          <span dir="auto">{label}</span>
        </label>
      ))}
      {kind === 'radio' && <NoAnswer {...field} />}
    </div>
  );
}

/** The steps of a scale in a row. */
export function Scale(field: Field) {
  const { question, name, texts } = field;
  const { min = 0, max = 0 } = question;
  const steps = Array.from({ length: max - min + 1 }, (_, step) => String(min + step));
  return (
    <>
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
      </div>
      <NoAnswer {...field} />
    </>
  );
}

/** Without script nobody takes a choice back: who chose and would rather not says so. */
function NoAnswer({ words, question: { required }, name, texts }: Field) {
  if (required) return null;
  return (
    <label class="pick none">
      <input type="radio" name={name} value="" checked={texts.includes('')} />
      <span lang={words.lang}>{words.noAnswer}</span>
    </label>
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
