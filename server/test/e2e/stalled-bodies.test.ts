// processes, alone: hundreds of bodies that stall
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { waitFor } from '../support/wait-for.ts';

const mebibyte = 1024 * 1024;
const brands = 4;
const bodiesPerBrand = 60;
const writes = 40;

const sockets = new Set<Socket>();
after(() => {
  for (const socket of sockets) socket.destroy();
});

/** Begins a body of 1 MiB, or of 64 KiB, and stops one byte before its end. */
function stall(port: number, key: string, index: number): void {
  const bytes = index % 2 === 0 ? mebibyte : 65_536;
  const socket = connect(port, '127.0.0.1');
  sockets.add(socket);
  socket.on('error', () => {}).resume();
  const head = [
    'POST /v1/client/catalog/products HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${key}`,
    `Idempotency-Key: stall-${index}`,
    'Content-Type: application/json',
    `Content-Length: ${bytes}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  socket.write(Buffer.alloc(bytes - 1, ' '));
}

async function newKey(server: ServerProcess, name: string): Promise<string> {
  const { json: brand } = await server.admin.post('/brands', { name });
  const scopes = ['catalog.products:read', 'catalog.products:write'];
  return (await server.admin.post(`/brands/${brand.id}/keys`, { name, scopes })).json.api_key;
}

async function receiving(server: ServerProcess): Promise<number> {
  const text = await (await fetch(`${server.internalUrl}/metrics`)).text();
  return Number(/^brandport_request_bodies_receiving (\d+)$/m.exec(text)?.[1]);
}

test('four brands that stall 60 bodies each do not hold up the writes of another, small or of 500 KB', async () => {
  const unlimited = ['CATALOG_READS', 'CATALOG_WRITES', 'CATALOG_BRAND', 'ADDRESS'];
  const server = await startServerProcess({
    env: Object.fromEntries(unlimited.map((name) => [`BRANDPORT_LIMIT_${name}`, '0'])),
  });
  const port = Number(new URL(server.clientUrl).port);
  const keys = await Promise.all(Array.from({ length: brands }, (_, n) => newKey(server, `stalls ${n}`)));
  const client = server.clientWith(await newKey(server, 'writes'));
  for (const key of keys) for (let n = 0; n < bodiesPerBrand; n += 1) stall(port, key, n);
  await waitFor(
    'every brand to have as many bodies as it may',
    async () => (await receiving(server)) === brands * 32,
  );
  const statuses = await Promise.all(
    Array.from({ length: writes }, async (_, n) => {
      const padding = n % 4 === 0 ? ' '.repeat(500_000) : '';
      return (await client.create('/catalog/products', `{"sku": "W${n}",${padding} "title": "Fine"}`)).status;
    }),
  );
  assert.deepEqual(statuses, Array(writes).fill(201));
  // The stalled bodies were present all the time, so no request was served only because they had ended.
  assert.ok((await receiving(server)) > 0);
  assert.equal((await server.stop()).code, 0);
});
