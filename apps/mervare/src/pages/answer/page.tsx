import type { Child } from 'hono/jsx';
import type { Edition } from '../../survey/editions.ts';
import { Document, type Site } from '../layout.tsx';
import type { Sentence, Words } from './words/words.ts';

/** What every page behind a link needs. */
export interface Frame {
  readonly site: Pick<Site, 'asset'>;
  readonly words: Words;
  /** It shows what respondents will see, and is none of theirs. */
  readonly preview: boolean;
}

/** Says why a link takes nothing, or that it has taken everything. */
export function WordPage({
  sentence: { title, says },
  of,
  ...frame
}: Frame & {
  readonly sentence: Sentence;
  /** The survey, where the visitor may know it. */
  readonly of?: Edition | undefined;
}) {
  return (
    <Page {...frame} title={title}>
      {of && (
        <p class="crumbs" lang={of.language} dir="auto">
          {of.title}
        </p>
      )}
      <h1>{title}</h1>
      <p class="lead">{says}</p>
    </Page>
  );
}

/** The frame of a page behind a link: nothing on it leads elsewhere. */
export function Page({ site, words, preview, title, children }: Frame & { title: string; children?: Child }) {
  return (
    <Document site={site} title={`${title} · Mervare`} description={title} lang={words.lang} hidden>
      <a class="skip" href="#main">
        {words.skip}
      </a>
      <header class="bar">
        <div class="wide narrow">
          <span class="brand">Mervare</span>
        </div>
      </header>
      <main id="main" class="wide narrow answer" tabindex={-1}>
        {preview && <p class="notice">{words.preview}</p>}
        {children}
      </main>
    </Document>
  );
}
