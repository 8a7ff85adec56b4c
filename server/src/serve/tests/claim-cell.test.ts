import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createTestDatabase } from '../../../test/support/test-database.ts';
import { createApiKey } from '../../access/api-keys/api-key-service.ts';
import { createFeedToken } from '../../access/feed-tokens/feed-token-service.ts';
import { createBrand } from '../../brands/brand-service.ts';
import { brandIdsOf, feedTokenIdsOf } from '../../brands/cell.ts';
import { systemClock } from '../../lib/clock.ts';
import type { Database } from '../../postgres/database.ts';
import { serverInitiator } from '../../postgres/transaction.ts';
import { claimCell } from '../claim-cell.ts';
import { StartError } from '../start-error.ts';

const newBrand = (database: Database) =>
  database.auditedTransaction(
    serverInitiator('job test'),
    async (tx) => (await createBrand(tx, { name: 'Maison' })).id,
  );

/** Creates a brand with a key and a feed token. */
function newTenant(database: Database) {
  return database.auditedTransaction(serverInitiator('job test'), async (tx) => {
    const { id } = await createBrand(tx, { name: 'Maison' });
    const { key } = await createApiKey(tx, systemClock, {
      brandId: id,
      name: 'PIM',
      expiresAt: null,
      replacesKeyId: null,
      scopes: ['catalog.products:read'],
    });
    const { token, plaintext } = await createFeedToken(tx, id, 'ERP');
    return { id, keyId: key.keyId, tokenId: token.id, token: plaintext };
  });
}

// [D201]
it('a cell gives out ids of its ranges, and keys and tokens that begin with it', async () => {
  const { database } = await createTestDatabase();
  await claimCell(database, '0a');
  await claimCell(database, '0a');
  const first = await newTenant(database);
  assert.equal(first.id, brandIdsOf('0a').first);
  assert.equal(first.tokenId, feedTokenIdsOf('0a').first);
  assert.match(first.keyId, /^tuk_0a[0-9a-f]{22}$/);
  assert.match(first.token, /^cfk_0a[A-Za-z0-9]{38}$/);
  await claimCell(database, '0a');
  assert.equal((await newTenant(database)).id, first.id + 1, 'a further start changes nothing');
});

it('a database that is one cell is refused as another one, and without a cell', async () => {
  const { database } = await createTestDatabase();
  await claimCell(database, '07');
  for (const cell of ['08', '00', null]) {
    const message = /^The database is the cell 07.* Start with BRANDPORT_CELL=07/;
    await assert.rejects(claimCell(database, cell), (error: Error) => {
      assert.ok(error instanceof StartError);
      assert.match(error.message, message);
      return true;
    });
  }
});

it('a database with brands from before becomes cell 00 only, and continues where it was', async () => {
  const { database, sql } = await createTestDatabase();
  await claimCell(database, null);
  const { id, keyId } = await newTenant(database);
  assert.equal(id, 1);
  assert.match(keyId, /^tuk_[0-9a-f]{24}$/);
  await assert.rejects(claimCell(database, '01'), /It can be the cell 00/);
  assert.deepEqual(await sql('select name from cell'), []);
  await claimCell(database, '00');
  assert.equal(await newBrand(database), 2);
});

it('the last id of a range is not followed by an id of the next cell', async () => {
  const { database, sql } = await createTestDatabase();
  await claimCell(database, '00');
  await sql(`select setval('brands_id_seq', ${brandIdsOf('00').last - 1})`);
  assert.equal(await newBrand(database), brandIdsOf('00').last);
  await assert.rejects(newBrand(database), /reached maximum value/);
});

it('a restored backup has its limits again', async () => {
  const { database, sql } = await createTestDatabase();
  await sql(`insert into cell (name) values ('0b')`);
  await sql(`select setval('brands_id_seq', ${brandIdsOf('0b').first + 4})`);
  await claimCell(database, '0b');
  assert.equal(await newBrand(database), brandIdsOf('0b').first + 5);
  assert.equal((await newTenant(database)).tokenId, feedTokenIdsOf('0b').first);
});

it('concurrent first starts agree, and of two cells one wins', async () => {
  const { database, sql } = await createTestDatabase();
  const starts = await Promise.allSettled(
    ['01', '02', '01', '02', '01'].map((cell) => claimCell(database, cell)),
  );
  const [row] = await sql<{ name: string }>('select name from cell');
  const winners = starts.map(({ status }, index) => (status === 'fulfilled' ? index % 2 : null));
  const won = row?.name === '01' ? 0 : 1;
  assert.deepEqual(new Set(winners.filter((winner) => winner !== null)), new Set([won]));
  assert.equal(winners.filter((winner) => winner === null).length, won === 0 ? 2 : 3);
});
