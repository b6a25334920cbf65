import { convert } from 'html-to-text';

/** A page as text. */
export interface PageText {
  readonly title: string | undefined;
  readonly text: string;
}

/** Types whose text is taken as it is. */
const TEXT = /^(?:text\/|application\/(?:json|xml|[\w.-]+\+(?:json|xml))$)/;

/** The text of an answer by its media type; undefined where it has none. HTML loses scripts, styles, and what is hidden. */
export function pageText(contentType: string, body: Buffer): PageText | undefined {
  const [type = '', ...parameters] = contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charset = parameters
    .find((one) => one.startsWith('charset='))
    ?.slice('charset='.length)
    .replaceAll('"', '');
  if (type !== 'application/xhtml+xml' && !TEXT.test(type)) return undefined;
  const text = decoded(body, charset);
  return type === 'text/html' || type === 'application/xhtml+xml'
    ? htmlText(text)
    : { title: undefined, text };
}

/** An encoding that nobody knows is read as UTF-8. */
function decoded(body: Buffer, charset: string | undefined): string {
  try {
    return new TextDecoder(charset ?? 'utf-8').decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}

function htmlText(html: string): PageText {
  const [, title] = /<title[^>]*>([^<]{0,500})</i.exec(html) ?? [];
  const text = convert(html, {
    wordwrap: false,
    limits: { maxInputLength: html.length, maxDepth: 200, maxChildNodes: 10_000, ellipsis: '…' },
    selectors: [
      ...['script', 'style', 'noscript', 'template', 'svg', 'nav', 'img'].map((selector) => ({
        selector,
        format: 'skip',
      })),
      { selector: 'a', options: { ignoreHref: true } },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
        selector,
        options: { uppercase: false },
      })),
    ],
  });
  return {
    title: title === undefined ? undefined : convert(title, { wordwrap: false }).trim() || undefined,
    text,
  };
}
