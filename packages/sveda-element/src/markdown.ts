import createPurifier, { type WindowLike } from 'dompurify';
import { Marked } from 'marked';

const parser = new Marked({ gfm: true, breaks: true, async: false });

// The types of the DOM library and of the sanitiser differ about `trustedTypes`; the object is the same.
const purifier = createPurifier(window as unknown as WindowLike);
purifier.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName !== 'A') return;
  node.setAttribute('target', '_blank');
  node.setAttribute('rel', 'noopener noreferrer nofollow');
});

/** What an answer may consist of. Nothing here loads anything, runs anything or looks like the page's own controls. */
const ALLOWED_TAGS =
  'p br hr strong em del code pre blockquote ul ol li a h1 h2 h3 h4 h5 h6 table thead tbody tr th td'.split(
    ' ',
  );

/**
 * Safe HTML of a Markdown text that nobody vouches for. An image becomes a link to itself: what a visitor does not
 * click on is not fetched.
 */
export function markdown(text: string): string {
  const html = parser.parse(imagesAsLinks(text)) as string;
  return purifier.sanitize(html, {
    ALLOWED_TAGS,
    ALLOWED_ATTR: ['href', 'title', 'start', 'align'],
    ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|#|\/(?!\/))/i,
  });
}

function imagesAsLinks(text: string): string {
  return text.replaceAll(/!\[([^\]]*)\](?=\()/g, (_, label: string) => `[${label || 'image'}]`);
}
