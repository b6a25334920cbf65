/** For how long somebody waits for what is under way, milliseconds. */
const WAIT_MS = 1;

/**
 * Asks at once for what is asked for at the same time: callers share the way to the database, which costs as much as the answer. Who comes
 * while nothing is under way is asked for at once; others wait for the end of what is under way, and no longer than a millisecond, so that a
 * question that hangs holds nobody up. Each is still asked after it arose, and fails with those that it is asked with. `askAll` gets at most
 * `most` keys and answers in their order.
 */
export function together<Key, Answer>(
  most: number,
  askAll: (keys: readonly Key[]) => Promise<readonly Answer[]>,
): (key: Key) => Promise<Answer> {
  let waiting: Question<Key, Answer>[] = [];
  let underway = 0;

  function askWaiting(): void {
    const asked = waiting;
    waiting = [];
    for (let from = 0; from < asked.length; from += most) void ask(asked.slice(from, from + most));
  }

  async function ask(asked: readonly Question<Key, Answer>[]): Promise<void> {
    underway += 1;
    await settle(asked, askAll);
    underway -= 1;
    if (underway === 0) askWaiting();
  }

  return (key) =>
    new Promise((answer, fail) => {
      waiting.push({ key, answer, fail });
      if (underway === 0) askWaiting();
      else if (waiting.length === 1) setTimeout(askWaiting, WAIT_MS);
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
