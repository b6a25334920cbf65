import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';
import { NOT_A_SENDER, readSender } from './mail/sender.ts';
import { NOT_AN_SMTP_URL, readSmtpUrl } from './mail/smtp-url.ts';
import { passwordLength } from './people/password.ts';
import { readStaticTokens, type StaticToken } from './mcp/callers/static-tokens.ts';
import { settings, type Setting } from './settings.ts';

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
