const encoded = /^=\?base64\?(.*)\?=$/;
const canonical = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The value behind an `Mcp-Name` or `Mcp-Param-*` header: `=?base64?…?=` carries what a header cannot
 * (2026-07-28, header encoding). Undefined for a payload that is not canonical Base64 of UTF-8.
 */
export function decodedHeader(value: string): string | undefined {
  const payload = encoded.exec(value)?.[1];
  if (payload === undefined) return value;
  if (!canonical.test(payload)) return undefined;
  try {
    return utf8.decode(Buffer.from(payload, 'base64'));
  } catch {
    return undefined;
  }
}
