import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused, waitingForLocks } from '../../../test/support/assert-refused.ts';
import { listenOn, RawConnection } from '../../../test/support/raw-connection.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { waitFor } from '../../../test/support/wait-for.ts';

const stopping = await createTestApps();

describe('a server that is stopping', () => {
  it('finishes what is in flight, and answers what comes behind it on the same connection like always', async () => {
    const brand = await stopping.newBrand();
    const { json: product } = await brand.client.create('/catalog/products', { sku: 'LAST' });
    const stoppingPort = await listenOn(stopping.clientApp);
    const holder = await stopping.database.pool.connect();
    await holder.query('begin');
    await holder.query('select 1 from brand_catalogs where brand_id = $1 for update', [brand.brandId]);

    const path = `/v1/client/catalog/products/${product.tu_id}`;
    const authorized = `Host: x\r\nAuthorization: Bearer ${brand.apiKey}\r\n`;
    const body = '{"title": "In flight"}';
    const connection = new RawConnection(stoppingPort);
    connection.write(
      `PATCH ${path} HTTP/1.1\r\n${authorized}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await waitFor('the change to wait for its lock', () => waitingForLocks(stopping));
    const closed = stopping.clientApp.close();
    await waitFor('the listener to be closed', () => !stopping.clientApp.server.listening);
    connection.write(`GET /nothing HTTP/1.1\r\n${authorized}\r\n`);
    await holder.query('commit');
    holder.release();

    const first = await connection.response();
    assert.deepEqual([first.status, first.json.title], [200, 'In flight']);
    const second = await connection.response();
    assertRefused(second, 'not_found');
    assert.equal(second.headers['connection'], 'close');
    await closed;
    const late = new RawConnection(stoppingPort);
    await late.closed();
  });
});
