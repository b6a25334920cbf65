import { htmlText, type HtmlText } from './html-text.ts';

/** Types whose text is taken as it is. */
const TEXT = /^(?:text\/|application\/(?:json|xml|[\w.-]+\+(?:json|xml))$)/;

/** The text of an answer by its media type; undefined where it has none. HTML loses what nobody sees. */
export function pageText(contentType: string, body: Buffer): HtmlText | undefined {
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
