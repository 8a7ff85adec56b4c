import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Queryable } from '../../../postgres/database.ts';
import { CredentialLookup } from '../credential-lookup.ts';

/** A database that answers with its state at the moment of the question, and tells which keys it was asked for. */
function noting(state: { name: string }) {
  const asked: unknown[] = [];
  const database = {
    run: async ({ values }: { values: readonly unknown[] }) => {
      asked.push(values[0]);
      if (state.name === 'away') throw new Error('away');
      return [{ key_id: values[0], name: state.name }];
    },
  } as unknown as Queryable;
  return { asked, lookup: new CredentialLookup(database) };
}

describe('the look-up of keys', () => {
  it('is one for all requests of a turn that name one key, and a new one in the next turn', async () => {
    const { asked, lookup } = noting({ name: 'as it is' });
    const rows = await Promise.all([lookup.find('a'), lookup.find('a'), lookup.find('b'), lookup.find('a')]);
    assert.deepEqual(asked, ['a', 'b']);
    assert.equal(rows[0], rows[3]);
    await lookup.find('a');
    assert.deepEqual(asked, ['a', 'b', 'a']);
  });

  it('is sent after the last of them has come: what changed before a request is seen by it', async () => {
    const state = { name: 'valid' };
    const { lookup } = noting(state);
    const first = lookup.find('a');
    state.name = 'revoked';
    const second = lookup.find('a');
    assert.equal((await first)?.name, 'revoked');
    assert.equal((await second)?.name, 'revoked');
  });

  it('keeps nothing once it is sent, even while the answer is awaited', async () => {
    const state = { name: 'valid' };
    const { asked, lookup } = noting(state);
    const first = lookup.find('a');
    await nextTurn();
    state.name = 'revoked';
    assert.equal((await lookup.find('a'))?.name, 'revoked');
    assert.equal((await first)?.name, 'valid');
    assert.equal(asked.length, 2);
  });

  it('fails for all that share it, and is asked again by the next', async () => {
    const state = { name: 'away' };
    const { lookup } = noting(state);
    const shared = await Promise.allSettled([lookup.find('a'), lookup.find('a')]);
    assert.deepEqual(
      shared.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    state.name = 'back';
    assert.equal((await lookup.find('a'))?.name, 'back');
  });
});
