import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import type { Queryable } from '../../../postgres/database.ts';
import { sharedReadSize } from '../../../postgres/shared-reads.ts';
import type { Statement } from '../../../postgres/statement.ts';
import { CredentialLookup } from '../credential-lookup.ts';

/** A database that answers with its state at the moment of the question, and tells which keys it was asked for. */
function noting(state: { name: string }) {
  const asked: unknown[] = [];
  const database = {
    run: async ({ values: [of] }: { values: readonly unknown[] }) => {
      const keyIds = [of].flat().filter((keyId) => keyId !== null);
      asked.push(keyIds.join(' '));
      if (state.name === 'away') throw new Error('away');
      return keyIds.map((keyId) => ({ key_id: keyId, name: state.name }));
    },
  } as unknown as Queryable;
  return { asked, lookup: new CredentialLookup(database) };
}

describe('the look-up of keys', () => {
  it('is one for all requests of a turn, and a new one in the next turn', async () => {
    const { asked, lookup } = noting({ name: 'as it is' });
    const rows = await Promise.all([lookup.find('a'), lookup.find('a'), lookup.find('b'), lookup.find('a')]);
    assert.deepEqual(asked, ['a b']);
    assert.equal(rows[0], rows[3]);
    await lookup.find('a');
    assert.deepEqual(asked, ['a b', 'a']);
  });

  it(`has ${sharedReadSize} keys at most, and returns to each request its own key or none [D174]`, async () => {
    const { database, newBrand } = await createTestApps();
    const brands = await Promise.all(Array.from({ length: sharedReadSize + 2 }, () => newBrand()));
    const keyIds = brands.map(({ keyId }) => keyId);
    const asked: string[] = [];
    const lookup = new CredentialLookup({
      run: <Row>(statement: Statement<Row>) => {
        asked.push(statement.name);
        return database.run(statement);
      },
    });
    const unknown = `tuk_${'0'.repeat(24)}`;
    const rows = await Promise.all([...keyIds, unknown, ...keyIds].map((keyId) => lookup.find(keyId)));
    const expected = brands.map(({ brandId }) => brandId);
    assert.deepEqual(
      rows.map((row) => row?.brand_id),
      [...expected, undefined, ...expected],
    );
    assert.deepEqual(asked, ['find_credentials', 'find_credentials']);
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
