import type { Context } from 'hono';
import { html as markup } from 'hono/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { HtmlEscapedString } from 'hono/utils/html';

/** Answers with a whole page. */
export function show(
  c: Context,
  page: HtmlEscapedString | Promise<HtmlEscapedString>,
  status: ContentfulStatusCode = 200,
) {
  return c.html(markup`<!doctype html>${page}`, status);
}
