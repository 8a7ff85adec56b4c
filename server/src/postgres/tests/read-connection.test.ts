import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { it, mock } from 'node:test';
import { createTestDatabase } from '../../../test/support/test-database.ts';
import { statement } from '../statement.ts';

const { database } = await createTestDatabase();
const double = (n: number) => statement<{ twice: number }>('double', 'select 2 * $1::integer as twice', [n]);

it('short reads of one turn of the event loop leave in one write, each with its own answer [D290]', async () => {
  await database.run(double(0));
  const writes = mock.method(Socket.prototype as Required<Socket>, '_writev');
  const answers = await Promise.all(
    [1, 2, 3].map(async (n) => {
      // A request that waits for others in its turn is still in that turn.
      for (let waits = 0; waits < n; waits += 1) await null;
      return (await database.run(double(n)))[0]?.twice;
    }),
  );
  assert.deepEqual(answers, [2, 4, 6]);
  assert.equal(writes.mock.callCount(), 1);
});

it('the stack of a read that fails leads to its caller', async () => {
  async function caller(): Promise<void> {
    await database.run(statement('fails', 'select 1 / 0', []));
  }
  await assert.rejects(caller(), ({ stack }: Error) => /caller/.test(stack ?? ''));
});
