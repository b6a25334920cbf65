import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const repository = (path: string): string => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));

/** Where nginx is, or nothing. */
export const nginxProgram = [
  process.env.PORTOLAN_NGINX,
  '/usr/sbin/nginx',
  repository('node_modules/.cache/nginx/usr/sbin/nginx'),
].find((place) => place !== undefined && existsSync(place));

/** A real nginx on a free port with the configuration that we ship, before this server. `directives` stand beside it in `http`. */
export async function startNginx(program: string, origin: string, directives: string) {
  const folder = await mkdtemp(join(tmpdir(), 'sveda-nginx-'));
  const port = await freePort();
  const shipped = await readFile(repository('deploy/nginx/sveda.conf'), 'utf8');
  await writeFile(
    join(folder, 'sveda.conf'),
    shipped
      .replace('server 127.0.0.1:8787;', `server ${new URL(origin).host};`)
      .replace('listen 8080;', `listen 127.0.0.1:${port};`),
  );
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; pid ${folder}/pid; error_log stderr;
events {}
http { access_log off; ${paths.join(' ')} ${directives} include ${folder}/sveda.conf; }`,
  );
  const child = spawn(program, ['-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  await Promise.race([
    listening(port),
    ended.then(() => Promise.reject(new Error('nginx ended at its start'))),
  ]);
  ended.catch(() => undefined);
  return {
    origin: `http://127.0.0.1:${port}`,
    async close() {
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

/** nginx takes no port 0: one that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function listening(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await wait(20);
  }
}
