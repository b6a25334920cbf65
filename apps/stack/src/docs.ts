import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { exitCodes } from '@portolan/cli';
import { apps } from './apps/list.ts';
import { contents } from './home.ts';

/** Writes what the stack reads and keeps, as one page below a folder. It is made of the values that the code uses. */
export async function writeDocs(root: string): Promise<void> {
  const file = join(root, 'docs/generated/stack/settings.md');
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${[...page()].join('\n\n')}\n`);
}

function* page(): Generator<string> {
  yield '<!-- Written by `npm run generate`. Do not edit. -->';
  yield '# The stack: settings, home, exit codes';
  yield '`npm start` starts it, `npm run reset` empties its home, `npx --no-install portolan-stack status` says what runs where.';
  yield rows(
    ['variable', 'without it', 'meaning'],
    [
      ['`PORTOLAN_HOME`', '`./.portolan`', 'The home: the folder of everything that the stack keeps.'],
      ...apps.flatMap(({ name, ports }) =>
        Object.entries(ports).map(([variable, port]) => [
          code(variable),
          code(port),
          `A port of ${name}; 0 takes a free one.`,
        ]),
      ),
    ],
  );
  yield '## Home';
  yield rows(
    ['path', 'what it is'],
    Object.values(contents).map(({ name, says }) => [code(name), says]),
  );
  yield '## Secrets that it makes';
  yield rows(
    ['variable', 'given to'],
    apps.flatMap(({ name, secrets }) => secrets.map((variable) => [code(variable), name])),
  );
  yield '## Exit codes of every command of ours';
  yield rows(
    ['code', 'meaning'],
    Object.entries(meanings).map(([number, meaning]) => [number, meaning]),
  );
}

const meanings: Readonly<Record<number, string>> = {
  0: 'Done.',
  [exitCodes.failure]: 'Failed in a way that has no code of its own.',
  [exitCodes.usage]: 'The command line is wrong.',
  [exitCodes.tryAgain]: 'Try again, or start me again.',
  [exitCodes.configuration]: 'The configuration must be changed.',
};

const code = (value: string | number) => `\`${value}\``;

function rows(heads: readonly string[], cells: readonly (readonly string[])[]): string {
  return [heads, heads.map(() => '---'), ...cells].map((line) => `| ${line.join(' | ')} |`).join('\n');
}
