import { isIP } from 'node:net';

/** A mail server that takes our letters. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; else by STARTTLS where the server offers it. */
  readonly secure: boolean;
  /** Without TLS no letter is handed over. */
  readonly demandsTls: boolean;
  readonly auth?: { readonly user: string; readonly pass: string };
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|::1)$/;

/** Reads `smtp://user:password@host:port` or `smtps://…`; undefined for anything else. A password never travels in the clear. */
export function readSmtpUrl(text: string): SmtpServer | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
  if (protocol !== 'smtp:' && protocol !== 'smtps:') return undefined;
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (host === '' || (hostname !== host && isIP(host) !== 6)) return undefined;
  if ((pathname !== '' && pathname !== '/') || search !== '' || hash !== '') return undefined;
  if ((username === '') !== (password === '')) return undefined;
  const auth = credentials(username, password);
  if (auth === undefined) return undefined;
  const secure = protocol === 'smtps:';
  return {
    host,
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    demandsTls: username !== '' && !LOOPBACK.test(host),
    ...(username !== '' && { auth }),
  };
}

function credentials(username: string, password: string) {
  try {
    return { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  } catch {
    return undefined;
  }
}

/** What a wrong one must be, after the name of the setting. */
export const NOT_AN_SMTP_URL =
  'must be smtp://user:password@host:port or smtps://…, percent-encoded, with nothing after the port';
