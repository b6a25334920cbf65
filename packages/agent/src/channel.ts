/** A queue from several producers to one consumer. */
export interface Channel<T> extends AsyncIterable<T> {
  push(item: T): void;
  /** No more items: the consumer ends after the last one. */
  close(): void;
  /** Items that wait. */
  readonly size: number;
}

/** An open, empty channel. */
export function openChannel<T>(): Channel<T> {
  const items: T[] = [];
  let closed = false;
  let wake = () => {};
  return {
    push(item) {
      items.push(item);
      wake();
    },
    close() {
      closed = true;
      wake();
    },
    get size() {
      return items.length;
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const item = items.shift();
        if (item !== undefined) yield item;
        else if (closed) return;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}
