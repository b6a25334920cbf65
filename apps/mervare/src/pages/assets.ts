import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Hono } from 'hono';

const types: Readonly<Record<string, string>> = {
  'site.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
};
const A_YEAR = 31_536_000;

/** The site's static files: served under names that change with their content, so that browsers may keep them for a year. */
export interface Assets {
  readonly address: (file: string) => string;
  readonly routes: Hono;
}

/** Reads the files of `public/` once. */
export function readAssets(): Assets {
  const files = new Map(
    Object.keys(types).map((file) => [file, readFileSync(new URL(`../../public/${file}`, import.meta.url))]),
  );
  const address = (file: string) => `/assets/${fingerprint(files.get(file))}/${file}`;
  const routes = new Hono();
  for (const [file, content] of files)
    routes.get(address(file), (c) =>
      c.body(new Uint8Array(content), 200, {
        'content-type': types[file] ?? 'application/octet-stream',
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
