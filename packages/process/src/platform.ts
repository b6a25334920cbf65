import { Unsupported } from './errors.ts';

/** This package speaks to the Linux kernel. Elsewhere it refuses, rather than to promise what it cannot see. */
export function requireLinux(): void {
  if (process.platform === 'linux') return;
  throw new Unsupported(
    `Processes are contained on Linux only; this is ${process.platform}. Use a Linux container.`,
  );
}
