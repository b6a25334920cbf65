import type { Edition } from '../../survey/editions.ts';
import type { Typed } from '../../survey/typed.ts';
import { faultWords } from './fault-words.ts';
import { Page, type Frame } from './page.tsx';
import { anchorOf, QuestionField } from './question.tsx';
import type { Words } from './words/words.ts';

interface FormProps extends Frame {
  readonly edition: Edition;
  readonly typed: Typed;
  /** Ids of the questions that stand in the way. */
  readonly faulty: ReadonlySet<string>;
  /** It was kept a moment ago. */
  readonly kept: boolean;
}

/** The survey as a form. The words of its author are theirs; all others are `words`. */
export function FormPage({ edition, typed, faulty, kept, ...frame }: FormProps) {
  const { words, preview } = frame;
  const { title, intro, language, questions } = edition;
  const shown = questions.map((question, at) => {
    const texts = typed.get(question.id) ?? [];
    const fault = faulty.has(question.id) ? faultWords(words, question, texts) : undefined;
    return { question, n: at + 1, texts, fault };
  });
  const faults = shown.filter(({ fault }) => fault !== undefined);
  const required = questions.filter((question) => question.required).length;
  return (
    <Page {...frame} title={faults.length > 0 ? `${words.error}: ${title}` : title}>
      <div class="survey" lang={language}>
        <h1 dir="auto">{title}</h1>
        {intro !== null && (
          <p class="lead intro" dir="auto">
            {intro}
          </p>
        )}
      </div>
      <p class="soft">{words.length(questions.length, required)}</p>
      {faults.length > 0 && <Faults words={words} language={language} faults={faults} />}
      {kept && (
        <p class="notice good" role="status">
          {words.kept}
        </p>
      )}
      <form method="post" novalidate lang={language}>
        {shown.map((one) => (
          <QuestionField words={words} {...one} />
        ))}
        <div class="decision" lang={words.lang}>
          {/* A press of Enter takes the first button of a form: the one that can be taken back. */}
          {!preview && (
            <button class="secondary" name="do" value="keep">
              {words.keep}
            </button>
          )}
          <button name="do" value="send">
            {words.send}
          </button>
        </div>
      </form>
      {!preview && <p class="soft">{words.once}</p>}
      <p class="soft">{words.privacy}</p>
    </Page>
  );
}

interface FaultsProps {
  readonly words: Words;
  /** Of the questions. */
  readonly language: string;
  readonly faults: readonly Omit<Parameters<typeof QuestionField>[0], 'words'>[];
}

/** What stands in the way, at the top, each with the way to its question. It has the focus, so that nobody overlooks it. */
function Faults({ words, language, faults }: FaultsProps) {
  return (
    <section class="notice bad" aria-labelledby="faults" role="alert" tabindex={-1} autofocus>
      <h2 id="faults">{words.faulty(faults.length)}</h2>
      <ul>
        {faults.map(({ question, n, fault }) => (
          <li>
            <a href={`#${anchorOf(question, n)}`}>
              <span lang={language} dir="auto">
                {question.label}
              </span>{' '}
              {fault}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
