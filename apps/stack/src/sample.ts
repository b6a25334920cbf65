import { cp, rename, rm, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { output } from './command.ts';

/**
 * Makes the sample project, a git repository with one commit, unless it is there. It is made beside its place and moved
 * there whole. Git reads no configuration of the person's: no signing, no hooks, no other branch name.
 */
export async function makeSample(
  project: string,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  if ((await stat(project).catch(() => undefined)) !== undefined) return;
  const draft = `${project}.new`;
  await rm(draft, { recursive: true, force: true });
  await cp(fileURLToPath(new URL('../sample', import.meta.url)), draft, { recursive: true });
  const env = { ...environment, ...author, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
  const git = (...args: string[]) => output({ file: 'git', args, cwd: draft, env });
  await git('init', '--quiet', '--initial-branch', 'main');
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'Begin the tide table');
  await rename(draft, project);
}

const author = {
  GIT_AUTHOR_NAME: 'Portolan',
  GIT_AUTHOR_EMAIL: 'portolan@localhost',
  GIT_COMMITTER_NAME: 'Portolan',
  GIT_COMMITTER_EMAIL: 'portolan@localhost',
};
