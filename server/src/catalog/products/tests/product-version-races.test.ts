// processes: reads while writes commit, for seconds
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiClient } from '../../../../test/support/api-client.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { adjusted, newLocation, newStockedParent } from '../../stock/tests/stock.ts';
import { ok } from '../../tests/new-axes.ts';

const apps = await createTestApps({ poolSize: 12 });

/** Reads a path repeatedly, in full and conditionally; one tag must always identify the same body. */
class Witness {
  readonly #client: ApiClient;
  readonly #path: string;
  readonly bodies = new Map<string, string>();
  notModified = 0;
  #held = '';

  constructor(client: ApiClient, path: string) {
    this.#client = client;
    this.#path = path;
  }

  async read(): Promise<void> {
    const whole = await this.#client.get(this.#path);
    this.#note(whole.headers['etag'] ?? '', whole.text);
    const answer = await this.#client.get(this.#path, { 'if-none-match': this.#held });
    if (answer.status === 304) this.notModified += 1;
    else this.#note(answer.headers['etag'] ?? '', answer.text);
  }

  #note(etag: string, text: string): void {
    assert.equal(this.bodies.get(etag) ?? text, text, `${this.#path}: one tag identifies two bodies`);
    this.bodies.set(etag, text);
    this.#held = etag;
  }

  /** Checks, after the writers have stopped, that only the current tag is still valid, and identifies the current body. */
  async conclude(): Promise<void> {
    const now = await this.#client.get(this.#path);
    for (const [etag, text] of this.bodies) {
      const { status } = await this.#client.get(this.#path, { 'if-none-match': etag });
      assert.equal(status, text === now.text && etag === now.headers['etag'] ? 304 : 200);
    }
  }
}

test('a tag that is read while writes commit never identifies data older or newer than its body', async () => {
  const { client } = await apps.newBrand();
  await newLocation(client, 'WH');
  const { product, variants } = await newStockedParent(client, 'RACE', 3);
  const other = await newStockedParent(client, 'OTHER', 1);
  const path = `/catalog/products/${product.tu_id}`;
  const witnesses = [path, '/catalog/products', '/catalog/products?updated_since=2001-01-01T00:00:00Z'].map(
    (watched) => new Witness(client, watched),
  );
  const writers = [0, 1, 2, 3].map(async (writer) => {
    for (let i = 1; i <= 25; i += 1) {
      const variant = variants[(writer + i) % 3].tu_id;
      if (writer === 0 && i % 4 === 0) await ok(client.patch(path, { title: `Title ${i}` }));
      else if (writer === 1 && i % 5 === 0)
        await ok(client.patch('/catalog/stock/locations/WH', { is_active: i % 2 === 0 }));
      else if (writer === 2 && i % 5 === 0)
        await ok(client.patch('/catalog/axes/axis-RACE/values/1', { label: `Label ${i}` }));
      else if (writer === 3 && i % 6 === 0)
        await adjusted(client, other.product.tu_id, { variant: other.variants[0].tu_id, quantity: i });
      else await adjusted(client, product.tu_id, { variant, location: 'WH', quantity: writer * 100 + i });
    }
  });
  let writing = true;
  const readers = witnesses.flatMap((witness) =>
    [1, 2].map(async () => {
      while (writing) await witness.read();
    }),
  );
  await Promise.all(writers).finally(() => {
    writing = false;
  });
  await Promise.all(readers);
  for (const witness of witnesses) {
    assert.ok(witness.bodies.size > 10, `${witness.bodies.size} bodies were seen`);
    await witness.read();
    await witness.read();
    assert.ok(witness.notModified > 0, 'a conditional read was answered with 304');
    await witness.conclude();
  }
});

test('two concurrent operations that change labels and delete axes never deadlock', async () => {
  const { client } = await apps.newBrand();
  const { product } = await newStockedParent(client, 'LABELS', 1);
  const rounds = Array.from({ length: 15 }, (_, index) => index);
  const work = rounds.flatMap((i) => [
    client.patch('/catalog/axes/axis-LABELS', { label: `L${i}` }),
    client.patch('/catalog/axes/axis-LABELS/values/1', { label: `V${i}` }),
    client.post('/catalog/axes', { code: `new-${i}` }),
    client.delete('/catalog/axes/axis-LABELS'),
    client.patch(`/catalog/products/${product.tu_id}`, { title: `T${i}` }),
  ]);
  const statuses = (await Promise.all(work)).map(({ status }) => status);
  assert.deepEqual([...new Set(statuses)].sort(), [200, 201, 409]);
});
