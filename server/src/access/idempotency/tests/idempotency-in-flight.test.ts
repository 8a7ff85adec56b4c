import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused, waitingForLocks } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { waitFor } from '../../../../test/support/wait-for.ts';
import { answered, countOutcome, countProducts, products } from './replays.ts';

const apps = await createTestApps();

describe('an Idempotency-Key whose first request is still running', () => {
  // [platform-63]
  it('is a conflict without any waiting, and afterwards a replay', async () => {
    const { client, brandId } = await apps.newBrand();
    const { json } = await client.create(products, { sku: 'HELD' });
    const holder = await apps.database.pool.connect();
    await holder.query('begin');
    await holder.query('select 1 from brand_catalogs where brand_id = $1 for update', [brandId]);
    const send = () => client.post(products, { sku: 'RUNNING' }, { 'idempotency-key': 'running' });
    const first = send();
    await waitFor('the first request to wait for its brand', () => waitingForLocks(apps));

    const conflicts = await countOutcome(apps, 'conflict');
    const refused = await send();
    assertRefused(refused, 'idempotency_conflict');
    assert.equal(refused.headers['retry-after'], '1');
    // Another request with this key learns no more than that.
    assertRefused(
      await client.patch(`${products}/${json.tu_id}`, {}, { 'idempotency-key': 'running' }),
      'idempotency_conflict',
    );
    assert.equal(await countOutcome(apps, 'conflict'), conflicts + 2);

    await holder.query('commit');
    holder.release();
    const done = await first;
    assert.equal(done.status, 201);
    const again = await send();
    assert.deepEqual(answered(again), answered(done));
    assert.equal(again.headers['idempotency-replayed'], 'true');
  });

  it('is a conflict also while the first waits for its turn, and a settled key is a replay at once', async () => {
    const { client, brandId } = await apps.newBrand();
    const send = (key: string, sku = key) => client.post(products, { sku }, { 'idempotency-key': key });
    const settled = await send('settled');
    const holder = await apps.database.pool.connect();
    await holder.query('begin');
    await holder.query('select 1 from brand_catalogs where brand_id = $1 for update', [brandId]);
    const running = ['a', 'b', 'c', 'd'].map((key) => send(key));
    await waitFor('the first request to wait for its brand', () => waitingForLocks(apps));
    for (const key of ['a', 'b', 'c', 'd']) assertRefused(await send(key), 'idempotency_conflict');
    assert.deepEqual(answered(await send('settled')), answered(settled));
    assertRefused(await send('settled', 'another'), 'idempotency_key_reuse');

    await holder.query('commit');
    holder.release();
    for (const { status } of await Promise.all(running)) assert.equal(status, 201);
    assert.equal((await send('d')).headers['idempotency-replayed'], 'true');
    assert.equal(await countProducts(client), 5);
  });

  it('is free again when the first request fails', async () => {
    const { client, brandId } = await apps.newBrand();
    await client.create(products, { sku: 'TAKEN' });
    const holder = await apps.database.pool.connect();
    await holder.query('begin');
    await holder.query('select 1 from brand_catalogs where brand_id = $1 for update', [brandId]);
    const headers = { 'idempotency-key': 'failing' };
    const first = client.post(products, { sku: 'TAKEN' }, headers);
    await waitFor('the first request to wait for its brand', () => waitingForLocks(apps));
    assertRefused(await client.post(products, { sku: 'FREE' }, headers), 'idempotency_conflict');
    await holder.query('commit');
    holder.release();
    assertRefused(await first, 'duplicate_sku');
    assert.equal((await client.post(products, { sku: 'FREE' }, headers)).status, 201);
  });

  it('has one effect however many come at once, with PATCH as well', async () => {
    const { client } = await apps.newBrand();
    const { json } = await client.create(products, { sku: 'ONCE' });
    const answers = await Promise.all(
      Array.from({ length: 30 }, () =>
        client.patch(`${products}/${json.tu_id}`, { title: 'Once' }, { 'idempotency-key': 'once' }),
      ),
    );
    const succeeded = answers.filter(({ status }) => status === 200);
    assert.equal(new Set(succeeded.map(({ text }) => text)).size, 1);
    assert.equal(succeeded.filter(({ headers }) => headers['idempotency-replayed'] === undefined).length, 1);
    for (const answer of answers) if (answer.status !== 200) assertRefused(answer, 'idempotency_conflict');
  });

  it('has one effect however soon the second comes behind the first', async () => {
    const { client } = await apps.newBrand();
    for (let i = 0; i < 25; i += 1) {
      const send = () => client.post(products, { sku: `PAIR-${i}` }, { 'idempotency-key': `pair-${i}` });
      const first = send();
      // As many turns of the event loop later as the round is old: from the look-up of the key to after the commit.
      for (let turn = 0; turn < i; turn += 1) await new Promise(setImmediate);
      const answers = [await send(), await first];
      const done = answers.filter(({ status }) => status === 201);
      assert.equal(new Set(done.map(({ text }) => text)).size, 1);
      assert.equal(done.filter(({ headers }) => headers['idempotency-replayed'] === undefined).length, 1);
      for (const answer of answers) if (answer.status !== 201) assertRefused(answer, 'idempotency_conflict');
    }
    assert.equal(await countProducts(client), 25);
  });

  it('leaves exactly one winner among different bodies at once', async () => {
    const { client } = await apps.newBrand();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        client.post(products, { sku: `D-${i}` }, { 'idempotency-key': 'bodies' }),
      ),
    );
    assert.equal(answers.filter(({ status }) => status === 201).length, 1);
    for (const { status, json } of answers)
      assert.ok(status === 201 || ['idempotency_conflict', 'idempotency_key_reuse'].includes(json.code));
    assert.equal(await countProducts(client), 1);
  });
});

describe('a request that fails', () => {
  it('frees its key at once after any failure', async () => {
    const { client } = await apps.newBrand();
    await client.create(products, { sku: 'THERE' });
    const headers = { 'idempotency-key': 'failed' };
    assertRefused(await client.post(products, { sku: 'THERE' }, headers), 'duplicate_sku');
    assertRefused(await client.post(products, { sku: 5 }, headers), 'validation_failed', ['sku']);
    assertRefused(await client.post(products, '{', headers), 'validation_failed', ['body']);
    assertRefused(await client.patch(`${products}/aaaaaaaaaaaaaaaaaaaaa`, {}, headers), 'not_found');
    const [row] = await apps.sql(
      `select count(*)::integer as n from idempotency_records where idempotency_key = 'failed'`,
    );
    assert.deepEqual(row, { n: 0 });
    const { status, headers: answer } = await client.post(products, { sku: 'NEW' }, headers);
    assert.deepEqual([status, answer['idempotency-replayed']], [201, undefined]);
  });

  it('is performed by a repeated request once the obstacle is gone', async () => {
    const { client } = await apps.newBrand();
    const { json } = await client.create(products, { sku: 'BLOCKED' });
    const send = () => client.post(products, { sku: 'BLOCKED' }, { 'idempotency-key': 'again' });
    assertRefused(await send(), 'duplicate_sku');
    await client.patch(`${products}/${json.tu_id}`, { sku: 'MOVED' });
    assert.equal((await send()).status, 201);
  });
});
