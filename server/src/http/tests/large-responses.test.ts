// processes: responses of megabytes, which nobody reads for seconds
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, describe, it } from 'node:test';
import { listenOn } from '../../../test/support/raw-connection.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';

const apps = await createTestApps();
const port = await listenOn(apps.clientApp);
const sockets: Socket[] = [];
after(() => {
  for (const socket of sockets) socket.destroy();
});

/** A brand whose list of products has 12 MB: more than a connection buffers. */
async function wideBrand() {
  const brand = await apps.newBrand();
  for (let n = 0; n < 24; n += 1) await brand.client.create('/catalog/products', { sku: `WIDE-${n}` });
  await apps.sql(
    `update products set versions = (
       select jsonb_object_agg('x-l' || n, jsonb_build_object('short_description', repeat('d', 5000)))
       from generate_series(1, 100) n
     ) where brand_id = $1`,
    [brand.brandId],
  );
  return brand;
}

/** Asks for the list, and reads nothing of the response. */
function askAndStop(apiKey: string): void {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => {});
  socket.pause();
  socket.write(
    `GET /v1/client/catalog/products HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\n\r\n`,
  );
}

describe('large responses', () => {
  // [platform-97]
  it('have the same bytes as those that are made in one piece', async () => {
    const { client } = await wideBrand();
    const { text, json } = await client.get('/catalog/products');
    assert.ok(text.length > 8 * 1024 * 1024);
    assert.equal(text, JSON.stringify(json));
    assert.equal(json.data.length, 24);
    assert.equal(json.data[3].versions['x-l100'].short_description, 'd'.repeat(5_000));
  });

  // [platform-76]
  it('that nobody reads keep the others of their brand waiting, and nobody else', async () => {
    const [greedy, other] = [await wideBrand(), await wideBrand()];
    // From now on the response is expected to be large.
    await greedy.client.get('/catalog/products');
    await other.client.get('/catalog/products');
    for (let n = 0; n < 3; n += 1) askAndStop(greedy.apiKey);
    const waiting = new AbortController();
    const headers = { authorization: `Bearer ${greedy.apiKey}` };
    const url = `http://127.0.0.1:${port}/v1/client/catalog`;
    const one = fetch(`${url}/products`, { headers, signal: waiting.signal });
    one.catch(() => {});
    for (let n = 0; n < 2; n += 1) assert.equal((await other.client.get('/catalog/products')).status, 200);
    // Small responses of the brand do not wait.
    assert.equal((await fetch(`${url}/status`, { headers })).status, 200);
    assert.equal(
      await Promise.race([one, new Promise((resolve) => setTimeout(resolve, 300, 'waits'))]),
      'waits',
    );
    for (const socket of sockets.splice(0)) socket.destroy();
    assert.equal((await one).status, 200);
    waiting.abort();
  });
});
