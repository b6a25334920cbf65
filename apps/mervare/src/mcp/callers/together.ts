/** The most that is asked at once. */
const MOST = 100;

/**
 * Asks at once for everything that is asked for in one turn of the event loop: callers that come at the same time share the way to the
 * database, which costs as much as the answer. Each is still asked after it arose, and fails with those that it is asked with.
 * `askAll` answers in the order of its keys.
 */
export function together<Key, Answer>(
  askAll: (keys: readonly Key[]) => Promise<readonly Answer[]>,
): (key: Key) => Promise<Answer> {
  let waiting: Question<Key, Answer>[] = [];

  function askWaiting(): void {
    const asked = waiting;
    waiting = [];
    for (let from = 0; from < asked.length; from += MOST) void settle(asked.slice(from, from + MOST), askAll);
  }

  return (key) =>
    new Promise((answer, fail) => {
      waiting.push({ key, answer, fail });
      if (waiting.length === 1) setImmediate(askWaiting);
    });
}

interface Question<Key, Answer> {
  readonly key: Key;
  readonly answer: (answer: Answer) => void;
  readonly fail: (error: unknown) => void;
}

/** Never rejects: whoever asked is told. */
async function settle<Key, Answer>(
  asked: readonly Question<Key, Answer>[],
  askAll: (keys: readonly Key[]) => Promise<readonly Answer[]>,
): Promise<void> {
  try {
    const answers = await askAll(asked.map(({ key }) => key));
    for (const [at, { answer }] of asked.entries()) answer(answers[at] as Answer);
  } catch (error) {
    for (const { fail } of asked) fail(error);
  }
}
