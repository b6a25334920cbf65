import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';
import { NOT_A_SENDER, readSender } from './mail/sender.ts';
import { NOT_AN_SMTP_URL, readSmtpUrl } from './mail/smtp-url.ts';
import { passwordLength } from './people/password.ts';
import { readStaticTokens, type StaticToken } from './mcp/callers/static-tokens.ts';

/** One setting: where it is given, what holds without it, and what it means. The documents are made of these. */
export interface Setting {
  readonly flag?: string;
  readonly variable?: string;
  /** The value that holds unless another is given. */
  readonly byDefault?: string;
  /** What happens without a value, where there is no default. */
  readonly without?: string;
  readonly says: string;
}

/** Every setting of Mervare, by the name that the code uses. */
export const settings = {
  host: { flag: '--host', byDefault: '127.0.0.1', says: 'Address to listen on.' },
  port: { flag: '--port', byDefault: '8088', says: 'Port to listen on; 0 takes a free one.' },
  origin: {
    variable: 'MERVARE_ORIGIN',
    without: 'the address that is listened on',
    says: 'Origin under which visitors reach the site, such as https://mervare.example. Needed to listen beyond this machine.',
  },
  databaseUrl: {
    variable: 'DATABASE_URL',
    without: 'an embedded PostgreSQL in the data folder',
    says: 'postgres://… of PostgreSQL 15 or newer.',
  },
  dataDir: {
    variable: 'MERVARE_DATA',
    byDefault: './.mervare',
    says: 'Folder for the embedded database, the generated secret, endpoint.json, and letters that are not sent.',
  },
  secret: {
    variable: 'MERVARE_SECRET',
    without: 'a secret that is made once, in the file “secret” of the data folder',
    says: 'Secret of 32 characters or more that every key of the site comes from. The same on all nodes of a database.',
  },
  sveda: {
    variable: 'SVEDA_ORIGIN',
    without: 'the pages have no chat',
    says: 'Origin of the Sveda server behind the chat on the pages, as browsers reach it. Needs SVEDA_EMBED_HOST_API_KEY.',
  },
  hostKey: {
    variable: 'SVEDA_EMBED_HOST_API_KEY',
    without: 'the pages have no chat',
    says: 'Host key of that Sveda server. Needs SVEDA_ORIGIN.',
  },
  logbookToken: {
    variable: 'LOGBOOK_TOKEN',
    without: 'POST /api/logbook does not exist',
    says: 'Bearer token with which observers report harbour traffic to POST /api/logbook.',
  },
  smtp: {
    variable: 'SMTP_URL',
    without: 'letters are not sent: they go as files into the folder mail of the data folder',
    says: 'Mail server for the letters: smtp://user:password@host:587 (STARTTLS) or smtps://user:password@host:465. Needs MERVARE_MAIL_FROM.',
  },
  mailFrom: {
    variable: 'MERVARE_MAIL_FROM',
    without: 'mervare@localhost',
    says: 'Who letters come from, such as Mervare <surveys@mervare.example>. Replies and bounces come to surveys+…@mervare.example: have them handed to POST /api/mail/inbound.',
  },
  mailInboundToken: {
    variable: 'MAIL_INBOUND_TOKEN',
    without: 'POST /api/mail/inbound does not exist',
    says: 'Bearer token with which a mail server hands in what comes back, one raw message a request.',
  },
  clientNetworks: {
    variable: 'MERVARE_CLIENT_NETWORKS',
    without: 'client documents are read from the open internet only',
    says: 'Addresses or networks, with commas between, that client metadata documents may be read from beside the open internet.',
  },
  trustedProxies: {
    variable: 'MERVARE_TRUSTED_PROXIES',
    without: 'forwarded headers are ignored',
    says: 'Addresses or networks of proxies whose forwarded headers count, with commas between.',
  },
  adminPassword: {
    variable: 'MERVARE_ADMIN_PASSWORD',
    without: 'nobody is made: `mervare admin create` does it',
    says: 'Password, 12 to 200 characters, of the super admin admin@localhost, who is made at a start that finds no super admin.',
  },
  surveyTokens: {
    variable: 'SURVEY_AGENT_TOKENS',
    without: 'no program has one',
    says: 'Tokens of programs that work with surveys: name:scope+scope:token, with commas between. Scopes: author, publisher, analyst, reader, harbour. Tokens have 32 to 500 characters.',
  },
  controlTokens: {
    variable: 'AGENT_CONTROL_TOKENS',
    without: 'no program has one',
    says: 'The same for agents of the control plane. Scope: control.',
  },
  builderTokens: {
    variable: 'BUILDER_AGENT_TOKENS',
    without: 'no program has one',
    says: 'The same for programs that queue builder work. Scope: builder.',
  },
} as const satisfies Record<string, Setting>;

type Key = keyof typeof settings;

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

const port = z.coerce
  .number('must be a number')
  .int('must be a whole number')
  .min(0, 'must be 0 or more')
  .max(65_535, 'must be at most 65535');

const networks = z
  .string()
  .transform((list) => list.split(',').map((one) => one.trim()))
  .refine((list) => list.every(isNetwork), 'must name addresses or networks such as 10.0.0.0/8')
  .default([]);

/** Of a door of its own, for machines. */
const ownToken = z
  .string()
  .regex(
    /^[\w.~+/-]{32,500}=*$/,
    'must have 32 characters or more, all of them letters, digits or . ~ + / - _',
  )
  .optional();

/** What is read from a text by a function that gives undefined for a wrong one. */
const parsed = <Value>(read: (text: string) => Value | undefined, message: string) =>
  z
    .string()
    .transform((text, context) => {
      const value = read(text);
      if (value !== undefined) return value;
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    })
    .optional();

const Config = z
  .object({
    host: z
      .string()
      .refine((host) => host === 'localhost' || isIP(host) !== 0, 'must be an IP address or localhost'),
    port,
    origin: z
      .string()
      .refine(isOrigin, 'must be an origin such as https://mervare.example, without a path')
      .optional(),
    databaseUrl: z
      .string()
      .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
      .optional(),
    dataDir: z.string().transform((folder) => resolve(folder)),
    secret: z
      .string()
      .min(32, 'must have 32 characters or more')
      .refine((text) => text === text.trim(), 'must not begin or end with a blank')
      .optional(),
    sveda: z
      .string()
      .refine(isOrigin, 'must be an origin such as https://sveda.example, without a path')
      .optional(),
    hostKey: z.string().optional(),
    adminPassword: z
      .string()
      .min(passwordLength.least, `must have ${passwordLength.least} characters or more`)
      .max(passwordLength.most, `must have at most ${passwordLength.most} characters`)
      .optional(),
    logbookToken: ownToken,
    smtp: parsed(readSmtpUrl, NOT_AN_SMTP_URL),
    mailFrom: parsed(readSender, NOT_A_SENDER),
    mailInboundToken: ownToken,
    clientNetworks: networks,
    trustedProxies: networks,
  })
  .refine(({ host, origin }) => LOOPBACK.has(host) || origin !== undefined, {
    path: ['origin'],
    error: 'must be set to listen beyond this machine',
    when: () => true,
  })
  .refine(({ sveda, hostKey }) => (sveda === undefined) === (hostKey === undefined), {
    path: ['hostKey'],
    error: 'and SVEDA_ORIGIN are set together or not at all',
    when: () => true,
  })
  .refine(({ smtp, mailFrom }) => smtp === undefined || mailFrom !== undefined, {
    path: ['mailFrom'],
    error: 'must be set to send letters by SMTP_URL',
    when: ({ issues }) => !issues.some(({ path }) => path?.[0] === 'mailFrom' || path?.[0] === 'smtp'),
  });

export type Config = z.output<typeof Config> & {
  /** What the operator gave to programs, as hashes. */
  readonly tokens: readonly StaticToken[];
};

export type Read =
  | { readonly config: Config; readonly faults: readonly [] }
  | { readonly config?: never; readonly faults: readonly string[] };

/** The configuration, or every fault in it, one sentence each. A variable that is set to nothing counts as not set. */
export function readConfig(
  variables: Readonly<Record<string, string | undefined>>,
  flags: Readonly<Partial<Record<Key, string>>> = {},
): Read {
  const given = Object.entries<Setting>(settings).map(([key, { variable, byDefault }]) => {
    const fromVariable = variable === undefined ? undefined : variables[variable];
    return [key, flags[key as Key] ?? (fromVariable || byDefault)];
  });
  const read = Config.safeParse(Object.fromEntries(given));
  const { tokens, faults } = readStaticTokens(variables);
  if (read.success && faults.length === 0) return { config: { ...read.data, tokens }, faults: [] };
  const others = read.error?.issues.map(({ path, message }) => `${nameOf(path[0])} ${message}.`) ?? [];
  return { faults: [...others, ...faults] };
}

/** How the operator knows a setting. */
function nameOf(key: PropertyKey | undefined): string {
  const setting: Setting | undefined = settings[key as Key];
  return setting?.variable ?? setting?.flag ?? String(key);
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text;
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const most = isIP(address) === 4 ? 32 : 128;
  return (
    isIP(address) !== 0 &&
    rest.length === 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && +bits <= most))
  );
}
