/**
 * Does what the parent orders, and answers each order with its result, or with `{failure}`. At `close` it takes leave
 * of what it has opened; without its parent it ends.
 */
export function obey(
  work: (order: never) => Promise<object>,
  close: () => Promise<unknown> = async () => undefined,
): void {
  const answer = async (order: unknown) => {
    const result = order === 'close' ? close().then(() => ({ closed: true })) : work(order as never);
    process.send?.(await result.catch((error: unknown) => ({ failure: String(error) })));
  };
  process.on('message', (order: unknown) => void answer(order));
  process.on('disconnect', () => process.exit(0));
  process.send?.({ ready: true });
}
