import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Files of a certificate. */
export interface Certificate {
  readonly key: string;
  readonly certificate: string;
}

/** A certificate for this machine, in a folder, by this name: nobody vouches for it but itself. */
export async function certify(folder: string, name: string): Promise<Certificate> {
  const [key, certificate] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'];
  const files = ['-keyout', key, '-out', certificate];
  await promisify(execFile)('openssl', ['req', '-x509', ...kind, ...subject, ...files]);
  return { key, certificate };
}
