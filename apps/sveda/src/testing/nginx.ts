import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
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

/**
 * A real nginx with the configuration that we ship, before this server, on a unix socket: it takes no port 0. `directives` stand beside
 * the configuration in `http`.
 */
export async function startNginx(program: string, origin: string, directives: string) {
  const folder = await mkdtemp(join(tmpdir(), 'sveda-nginx-'));
  const socketPath = join(folder, 'socket');
  const shipped = await readFile(repository('deploy/nginx/sveda.conf'), 'utf8');
  await writeFile(
    join(folder, 'sveda.conf'),
    shipped
      .replace('server 127.0.0.1:8787;', `server ${new URL(origin).host};`)
      .replace('listen 8080;', `listen unix:${socketPath};`),
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
    listening(socketPath),
    ended.then(() => Promise.reject(new Error('nginx ended at its start'))),
  ]);
  ended.catch(() => undefined);
  return {
    socketPath,
    async close() {
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

async function listening(socketPath: string): Promise<void> {
  for (;;) {
    const socket = connect(socketPath);
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await wait(20);
  }
}
