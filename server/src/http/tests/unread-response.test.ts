// processes: waits until a connection is given up, in 5 seconds
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { counterAt, waitingForLocks } from '../../../test/support/assert-refused.ts';
import { listenOn, RawConnection } from '../../../test/support/raw-connection.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { waitFor } from '../../../test/support/wait-for.ts';

const takeMs = 500;
const apps = await createTestApps({ bodies: { times: { takeMs } } });
const { client, apiKey, brandId } = await apps.newBrand();
await client.create('/catalog/products', { sku: 'FIRST' });
const port = await listenOn(apps.clientApp);
const connections = () => promisify(apps.clientApp.server.getConnections.bind(apps.clientApp.server))();
// 450 KB each: together more than the buffers of the kernel hold.
const path = '/openapi.json';
const asked = `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

it('a client that does not read what it asked for loses its connection', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.pause();
  socket.write(asked.repeat(200));
  await waitFor('the connection', async () => (await connections()) === 1);
  await waitFor('its end', async () => (await connections()) === 0);
  const labels = { route: path, status: 499 };
  await waitFor('the count of its requests', async () => {
    return (await counterAt(apps.metrics, 'brandport_http_requests_total', labels)) > 0;
  });
  socket.destroy();
});

it('a client that reads slowly receives everything', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.write(asked.repeat(50).replace(/\r\n\r\n$/, '\r\nConnection: close\r\n\r\n'));
  let received = 0;
  socket.on('data', (bytes) => {
    received += bytes.length;
    socket.pause();
    setTimeout(() => socket.resume(), 4);
  });
  await waitFor('the end of the connection', () => socket.closed || socket.readableEnded);
  const { rawPayload } = await apps.clientApp.inject(path);
  assert.ok(received > 50 * rawPayload.length, `${received} bytes`);
});

it('a handler that takes longer than that is waited for, behind another request too', async () => {
  const holder = await apps.database.pool.connect();
  await holder.query('begin');
  await holder.query('select 1 from brand_catalogs where brand_id = $1 for update', [brandId]);
  const body = '{"sku": "SLOW"}';
  const connection = new RawConnection(port);
  connection.write(
    `GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nPOST /v1/client/catalog/products HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\nIdempotency-Key: k\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await waitFor('the write to wait for its lock', () => waitingForLocks(apps));
  await sleep(2 * takeMs);
  await holder.query('commit');
  holder.release();
  assert.deepEqual([(await connection.response()).status, (await connection.response()).status], [200, 201]);
  connection.socket.destroy();
});
