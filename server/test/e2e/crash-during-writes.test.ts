// processes, alone: servers are killed during a storm of writes, round after round
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendHttp } from '../support/http-client.ts';
import { unlimitedCatalog } from '../support/limits.ts';
import { seedBrand } from '../support/seed.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { waitFor } from '../support/wait-for.ts';

const rounds = 4;
const connections = 12;
interface Write {
  readonly key: string;
  readonly sku: string;
  /** The bytes of the response; null before: the write may or may not have happened. */
  acknowledged: string | null;
}

/** Returns the number of transactions that several creations have shared. */
async function sharedTransactions({ internalUrl }: ServerProcess): Promise<number> {
  const { text } = await sendHttp(`${internalUrl}/metrics`);
  const transactions = (name: string, labels = '') =>
    Number(
      new RegExp(
        `^brandport_shared_transaction_requests_${name}\\{${labels}operation="createProduct"\\} (.*)$`,
        'm',
      ).exec(text)?.[1],
    );
  return transactions('count') - transactions('bucket', 'le="1",');
}

// [platform-66]
test('kill -9 during a storm of writes, round after round: nothing acknowledged is lost, nothing is done twice', async () => {
  let server = await startServerProcess({ env: unlimitedCatalog });
  const { apiKey } = await seedBrand(server);
  const env = { ...unlimitedCatalog, BRANDPORT_DATA_DIR: server.dataDir };
  const writes: Write[] = [];

  const send = async ({ key, sku }: Write, on: ServerProcess) =>
    sendHttp(`${on.clientUrl}/v1/client/catalog/products`, {
      method: 'POST',
      body: { sku, title: `Title of ${sku}` },
      headers: { authorization: `Bearer ${apiKey}`, 'idempotency-key': key },
    });

  for (let round = 0; round < rounds; round += 1) {
    let isDown = false;
    let acknowledgedInRound = 0;
    const storm = Array.from({ length: connections }, async (_, connection) => {
      for (let n = 0; !isDown; n += 1) {
        const sku = `R${round}-C${connection}-${n}`;
        const write: Write = { key: `key-${sku}`, sku, acknowledged: null };
        writes.push(write);
        const response = await send(write, server).catch(() => null);
        if (response === null) return; // the connection broke: the outcome is unknown
        assert.equal(response.status, 201, response.text);
        write.acknowledged = response.text;
        acknowledgedInRound += 1;
      }
    });
    await waitFor('the storm', () => acknowledgedInRound > 60);
    await waitFor('shared transactions', async () => (await sharedTransactions(server)) > 5);
    await sleep(Math.random() * 100); // another moment in every round
    await server.kill9();
    isDown = true;
    await Promise.all(storm);
    server = await startServerProcess({ env });

    const unknown = writes.filter(({ acknowledged }) => acknowledged === null);
    assert.ok(unknown.length > 0, 'some writes were in flight');
    const skus = await allSkus(server, apiKey);
    assert.equal(skus.length, new Set(skus).size);
    for (const { sku, acknowledged } of writes)
      if (acknowledged !== null) assert.ok(skus.includes(sku), `${sku} was acknowledged`);

    // Every client retries, several times concurrently; each request in flight takes effect once.
    for (let at = 0; at < writes.length; at += 100)
      await Promise.all(writes.slice(at, at + 100).map((write) => retry(write, server)));
    const afterwards = await allSkus(server, apiKey);
    assert.deepEqual(afterwards.toSorted(), writes.map(({ sku }) => sku).sort());
  }
  assert.equal((await server.stop()).code, 0);

  async function retry(write: Write, on: ServerProcess): Promise<void> {
    const first = await send(write, on);
    assert.equal(first.status, 201, first.text);
    if (write.acknowledged !== null) {
      assert.equal(first.text, write.acknowledged);
      assert.equal(first.headers['idempotency-replayed'], 'true');
    }
    write.acknowledged = first.text;
  }
});

async function allSkus(server: ServerProcess, apiKey: string): Promise<string[]> {
  const client = server.clientWith(apiKey);
  const skus: string[] = [];
  for (let page = 1; ; page += 1) {
    const { status, json, text } = await client.get(`/catalog/products?per_page=100&sort=sku&page=${page}`);
    assert.equal(status, 200, text);
    skus.push(...json.data.map(({ sku }: { sku: string }) => sku));
    if (page >= json.meta.last_page) return skus;
  }
}
