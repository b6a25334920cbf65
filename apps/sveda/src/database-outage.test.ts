import { expect, it } from 'vitest';
import { rawVisitor, testSveda } from './testing/sveda.ts';

it('SVE-30.4 says that it is not ready while the database is away, refuses requests as ones to be tried again, and ends all the same', async () => {
  const sveda = await testSveda('- { text: Hello. }');
  const { headers } = rawVisitor(sveda.origin, await sveda.mint());
  await sveda.database.drop();
  const answers = await Promise.all(
    ['/sveda/chats', '/sveda/ready', '/sveda/health'].map((path) =>
      fetch(new URL(path, sveda.origin), { headers }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual([503, 503, 200]);
  expect([answers[0]?.headers.get('retry-after'), await answers[0]?.json()]).toEqual([
    '5',
    { error: 'unavailable', message: 'The database does not answer; try again.' },
  ]);
  await sveda.close();
});
