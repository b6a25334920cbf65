/** Lets a test wait for what it can look at: whoever waits looks again whenever something has `happened`. */
export function happenings() {
  const waiting = new Set<() => void>();
  return {
    happened: (): void => {
      for (const wake of waiting) wake();
    },
    /** Resolves once this holds. */
    until: async (holds: () => boolean): Promise<void> => {
      while (!holds())
        await new Promise<void>((resolve) => {
          const wake = () => {
            waiting.delete(wake);
            resolve();
          };
          waiting.add(wake);
        });
    },
  };
}
