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
