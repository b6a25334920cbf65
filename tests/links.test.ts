import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { read, root, sources } from './workspace.ts';

const pages = ['README.md', 'AGENTS.md', 'CONTRIBUTING.md', 'SECURITY.md', ...sources('docs', /\.md$/)];

describe('documents', () => {
  it.each(pages)('%s links to files that exist', (page) => {
    const links = [...read(page).matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map((hit) => hit[1] ?? '');
    const missing = links
      .filter((link) => !/^[a-z]+:|^\//.test(link))
      .filter((link) => !existsSync(join(root, normalize(join(dirname(page), link)))));
    expect(missing).toEqual([]);
  });
});
