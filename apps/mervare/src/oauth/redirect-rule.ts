/** Where a client may have a person sent back to. */
export type RedirectKind = 'web' | 'loopback' | 'private';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Schemes that mean something to browsers and systems, and so are nobody's private use (RFC 8252 §7.1). */
const PUBLIC_SCHEMES = new Set(
  `about blob chrome chrome-extension content data dav dns edge feed file filesystem ftp ftps geo git gopher http https
   imap intent irc jar javascript jdbc ldap ldaps livescript magnet mailto mms moz-extension ms-settings ms-word news nfs nntp
   ntp odbc onion pop rlogin rsync rtmp rtsp search-ms sftp shell sip sips smb sms snmp ssh svn tel telnet tftp
   urn vbscript view-source wais webcal ws wss xmpp`.split(/\s+/),
);

/** An address whose host stands there as every parser reads it: no escape, no number in another form, no wildcard. */
const WEB = /^https?:\/\/([\w.-]+|\[[\da-f:]+\])(?::\d+)?(?:[/?]|$)/i;

/**
 * What kind of redirect address this is: https, http to this very machine, or a scheme of an app's own. Undefined for all else,
 * for user info, for a fragment, and for text that parsers read differently.
 */
export function redirectKind(uri: string): RedirectKind | undefined {
  if (uri.length > 2000 || !/^[!$-;=?-[\]_a-z~]+$/i.test(uri) || !URL.canParse(uri)) return undefined;
  const { protocol, hostname, username, password } = new URL(uri);
  const scheme = protocol.slice(0, -1);
  if (username !== '' || password !== '' || !uri.toLowerCase().startsWith(protocol)) return undefined;
  if (scheme === 'https' || scheme === 'http') {
    if (WEB.exec(uri)?.[1]?.toLowerCase() !== hostname) return undefined;
    if (scheme === 'https') return 'web';
    return LOOPBACK.has(hostname) ? 'loopback' : undefined;
  }
  return scheme.length > 1 && scheme.length <= 64 && !PUBLIC_SCHEMES.has(scheme) ? 'private' : undefined;
}

/** Where a person is sent back to, in few words: a host, and what it is; or the app that owns a scheme. */
export function redirectPlace(uri: string): string {
  const { protocol, host } = new URL(uri);
  const kind = redirectKind(uri);
  if (kind === 'private') return `the app that opens ${protocol} addresses`;
  return kind === 'loopback' ? `${host}, a program on this computer` : host;
}
