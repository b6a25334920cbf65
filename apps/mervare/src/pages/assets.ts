import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Hono } from 'hono';

/** Where each file lies, from here, and what it is. The script is built from `web/`. */
const sources: Readonly<Record<string, { readonly path: string; readonly type: string }>> = {
  'site.css': { path: '../../public/site.css', type: 'text/css; charset=utf-8' },
  'icon.svg': { path: '../../public/icon.svg', type: 'image/svg+xml' },
  'chat.js': { path: '../../dist/web/chat.js', type: 'text/javascript; charset=utf-8' },
};
const A_YEAR = 31_536_000;

/** The site's static files: served under names that change with their content, so that browsers may keep them for a year. */
export interface Assets {
  readonly address: (file: string) => string;
  readonly routes: Hono;
}

/** Reads the files once. */
export function readAssets(): Assets {
  const files = new Map(
    Object.entries(sources).map(([file, { path }]) => [file, readFileSync(new URL(path, import.meta.url))]),
  );
  const address = (file: string) => `/assets/${fingerprint(files.get(file))}/${file}`;
  const routes = new Hono();
  for (const [file, content] of files)
    routes.get(address(file), (c) =>
      c.body(new Uint8Array(content), 200, {
        'content-type': sources[file]?.type ?? 'application/octet-stream',
        'cache-control': `public, max-age=${A_YEAR}, immutable`,
      }),
    );
  return { address, routes };
}

function fingerprint(content: Buffer | undefined): string {
  return createHash('sha256')
    .update(content ?? '')
    .digest('base64url')
    .slice(0, 12);
}
