/** This package speaks to the Linux kernel. Elsewhere it refuses, rather than to promise what it cannot see. */
export function requireLinux(): void {
  if (process.platform === 'linux') return;
  throw new Error(`Process scopes need Linux; this is ${process.platform}. Run it in a Linux container.`);
}
