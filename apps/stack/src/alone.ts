import { statSync } from 'node:fs';
import { createServer } from 'node:net';

/**
 * Holds a home until this process ends, however it ends: an abstract socket named after the folder, which the kernel gives
 * to one process and takes back. Resolves with how to let go earlier, or with undefined while another process holds it.
 */
export async function holdHome(root: string): Promise<(() => void) | undefined> {
  const { dev, ino } = statSync(root);
  const door = createServer((visitor) => visitor.destroy()).unref();
  return new Promise((resolve, reject) => {
    door.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    door.listen({ path: `\0portolan-stack-${dev}-${ino}` }, () => resolve(() => void door.close()));
  });
}

/** Says whether a process holds the home. A home that does not exist is held by nobody. */
export async function isHeld(root: string): Promise<boolean> {
  if (statSync(root, { throwIfNoEntry: false }) === undefined) return false;
  const letGo = await holdHome(root);
  letGo?.();
  return letGo === undefined;
}
