/** What a request presents: a bearer token, nothing at all, or something that is no token, and why. */
export type Bearer = { readonly token: string } | { readonly flaw: string | undefined };

/** The longest token that is looked at. */
const LONGEST = 500;

/** Reads the one place where a credential may stand: a single Authorization header (RFC 6750 §2.1). */
export function readBearer(request: Request): Bearer {
  const { url } = request;
  if (url.includes('?') && new URL(url).searchParams.has('access_token'))
    return { flaw: 'A token in the query is not taken. Send it in the Authorization header.' };
  const presented = request.headers.get('authorization');
  if (presented === null) return { flaw: undefined };
  // Several headers come joined by a comma, which no token has.
  const token = /^bearer +([\w.~+/-]+=*) *$/i.exec(presented)?.[1];
  if (token === undefined || token.length > LONGEST) return { flaw: 'This is not one bearer token.' };
  return { token };
}
