import { createServer } from 'node:http';
import { once } from 'node:events';
import { chmod, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { signInAndApprove, type Account } from '../../apps/mervare/src/testing/approve.ts';

/** Somebody at a machine on which programs of others run. */
export interface Person {
  /** Signs in, reads the consent page and allows; the address that the client is called back at. */
  readonly approve: (request: string | URL) => Promise<URL>;
  /** The program that opens a web address on this machine: what it is given is approved, and the client called back. */
  readonly browser: string;
  /** What went wrong in that browser. */
  readonly troubles: readonly string[];
  close(): void;
}

/** A person with this account and a browser in this folder. */
export async function personAt(folder: string, account: Account): Promise<Person> {
  const troubles: string[] = [];
  const approve = (request: string | URL) => signInAndApprove(request, account);
  const open = async (request: string) => fetch(await approve(request));
  const window = createServer((request, response) => {
    response.end();
    const asked = new URL(request.url ?? '/', 'http://browser.example').searchParams.get('open') ?? '';
    void open(asked).catch((error: unknown) => troubles.push(inspect(error)));
  }).listen(0, '127.0.0.1');
  await once(window, 'listening');
  const browser = join(folder, 'browser');
  await writeFile(browser, program((window.address() as AddressInfo).port));
  await chmod(browser, 0o755);
  return { approve, browser, troubles, close: () => void window.close() };
}

const program = (port: number) => `#!${process.execPath}
fetch('http://127.0.0.1:${port}/?open=' + encodeURIComponent(process.argv[2]));
`;
