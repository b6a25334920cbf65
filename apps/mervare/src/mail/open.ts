import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Loop } from '../work/loop.ts';
import type { Letterhead } from './compose.ts';
import { fileTransport } from './files.ts';
import type { Sender } from './sender.ts';
import { smtpTransport } from './smtp.ts';
import { startMailWorker, type MailWorkerOptions } from './worker.ts';

/** Who letters come from that never leave this machine. */
const NOBODY: Sender = { name: 'Mervare', local: 'mervare', domain: 'localhost' };

/** What sending letters needs of the site. */
export type MailParts = Pick<Letterhead, 'origin' | 'secret'> &
  Pick<MailWorkerOptions, 'db' | 'listen' | 'metrics' | 'log' | 'now'>;

/** Begins to send the site's letters as it is configured: to a mail server, or else into files, which the log says. */
export function openMail(
  { smtp, mailFrom: from = NOBODY, dataDir }: Pick<Config, 'smtp' | 'mailFrom' | 'dataDir'>,
  { origin, secret, ...parts }: MailParts,
): Promise<Loop> {
  const folder = join(dataDir, 'mail');
  if (smtp === undefined) parts.log.warn({ folder }, 'without SMTP_URL no letter is sent: they go to files');
  else parts.log.info({ server: smtp.host, port: smtp.port }, 'letters go to a mail server');
  return startMailWorker({
    ...parts,
    letterhead: { from, origin, secret },
    transport: smtp === undefined ? fileTransport(folder) : smtpTransport(smtp, new URL(origin).hostname),
  });
}
