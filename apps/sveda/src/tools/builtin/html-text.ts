import { Tokenizer } from 'htmlparser2';

/** What a reader of an HTML page sees, as far as it is text. */
export interface HtmlText {
  readonly title: string | undefined;
  readonly text: string;
}

/** Elements whose text nobody sees, or that is not of the page. Where they are not closed, all that follows is theirs. */
const HIDDEN = new Set(['script', 'style', 'noscript', 'template', 'svg', 'nav', 'iframe', 'object']);

/** Elements that stand on lines of their own, and those with space around them. */
const LINES = new Set([
  'br',
  'div',
  'li',
  'tr',
  'dt',
  'dd',
  'option',
  'section',
  'article',
  'header',
  'footer',
  'main',
  'form',
]);
const PARAGRAPHS = new Set([
  'p',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'ul',
  'ol',
  'dl',
  'table',
  'pre',
  'blockquote',
  'hr',
  'figure',
  'title',
]);

/**
 * The text of an HTML page in one pass over its tokens. No tree is built: what a page costs grows with its length and with
 * nothing else, however it nests.
 */
export function htmlText(html: string): HtmlText {
  const said: string[] = [];
  const title: string[] = [];
  const page = { hidden: '', depth: 0, inTitle: false, isClosing: false };
  const say = (text: string): void => void (page.hidden === '' && (page.inTitle ? title : said).push(text));
  const begin = (name: string): void => {
    if (page.hidden !== '') page.depth += name === page.hidden ? 1 : 0;
    else if (HIDDEN.has(name)) Object.assign(page, { hidden: name, depth: 1 });
    else if (name === 'title') page.inTitle = true;
    else said.push(breakOf(name));
  };
  const end = (name: string): void => {
    if (page.hidden !== '') {
      page.depth -= name === page.hidden ? 1 : 0;
      if (page.depth === 0) page.hidden = '';
    } else if (name === 'title') page.inTitle = false;
    else said.push(breakOf(name));
  };
  const ignore = (): void => undefined;
  const tokens = new Tokenizer(
    { decodeEntities: true },
    {
      ontext: (from, to) => say(html.slice(from, to)),
      ontextentity: (codePoint) => say(String.fromCodePoint(codePoint)),
      onopentagname: (from, to) => begin(html.slice(from, to).toLowerCase()),
      onclosetag: (from, to) => end(html.slice(from, to).toLowerCase()),
      onselfclosingtag: ignore,
      onopentagend: ignore,
      onattribdata: ignore,
      onattribentity: ignore,
      onattribend: ignore,
      onattribname: ignore,
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onprocessinginstruction: ignore,
      onend: ignore,
    },
  );
  tokens.write(html);
  tokens.end();
  const words = tidied(title.join('')).replaceAll('\n', ' ').slice(0, 500);
  return { title: words === '' ? undefined : words, text: tidied(said.join('')) };
}

/** A character that no text keeps stands for a break: spaces of the source are not breaks. */
const LINE = '\u0001';
const PARAGRAPH = '\u0002';

function breakOf(name: string): string {
  if (PARAGRAPHS.has(name)) return PARAGRAPH;
  if (LINES.has(name)) return LINE;
  return name === 'td' || name === 'th' ? ' ' : '';
}

/** White space of the source is one space; breaks become lines, at most one of them empty. */
function tidied(text: string): string {
  return text
    .split(PARAGRAPH)
    .map((part) =>
      part
        .split(LINE)
        .map((line) => line.split(/\s+/).join(' ').trim())
        .filter((line) => line !== '')
        .join('\n'),
    )
    .filter((part) => part !== '')
    .join('\n\n');
}
