// own process: it measures the memory of the process
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import process from 'node:process';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { listenOn, RawConnection } from '../../../../test/support/raw-connection.ts';
import { createTestApps, testAdminToken } from '../../../../test/support/test-apps.ts';
import { waitFor } from '../../../../test/support/wait-for.ts';

const mebibyte = 1024 * 1024;
const apps = await createTestApps();
const { brandId } = await apps.newBrand();
const port = await listenOn(apps.internalApp);
const events = `/internal/v1/brands/${brandId}/events`;
/** V8 collects unused buffers after some 64 MiB of new ones. */
const maxGarbage = 16 * mebibyte;

/** Sends a body of equal parts as fast as it is read. Returns the status and the most bytes that buffers took meanwhile. */
async function send(head: readonly string[], part: Uint8Array, parts: number) {
  const connection = new RawConnection(port);
  // Continues to send after the server has responded.
  connection.socket.allowHalfOpen = true;
  const atRest = process.memoryUsage().arrayBuffers;
  let most = 0;
  const sampler = setInterval(() => {
    most = Math.max(most, process.memoryUsage().arrayBuffers - atRest);
  }, 1);
  const lines = [`POST ${events} HTTP/1.1`, 'Host: x', ...head, `Content-Length: ${part.length * parts}`];
  connection.write(`${lines.join('\r\n')}\r\n\r\n`);
  const { socket } = connection;
  const gone = once(socket, 'close');
  for (let left = parts; left > 0 && socket.writable; left -= 1)
    if (!socket.write(part)) await Promise.race([once(socket, 'drain'), gone]);
  if (!socket.destroyed) await taken(socket);
  const { status } = await connection.response();
  clearInterval(sampler);
  socket.destroy();
  return { status, most };
}

/** Until everything is sent or the server has cut the connection. */
async function taken(socket: Socket): Promise<void> {
  await waitFor('the end of the body', () => socket.destroyed || socket.writableLength === 0);
}

const token = `Authorization: Bearer ${testAdminToken}`;
const lines = 'Content-Type: application/x-ndjson';
const json = 'Content-Type: application/json';
const longLine = Buffer.alloc(mebibyte, 'x').fill('\n', mebibyte - 1);

describe('the memory of a body', () => {
  it('that is streamed is freed piece by piece', async () => {
    const { status, most } = await send([token, lines], longLine, 60);
    assert.equal(status, 200);
    assert.ok(most < maxGarbage, `${most} bytes`);
  });

  it('that is compressed and streamed is freed piece by piece', async () => {
    const bomb = gzipSync(Buffer.concat(Array.from({ length: 60 }, () => longLine)));
    const { status, most } = await send([token, lines, 'Content-Encoding: gzip'], bomb, 1);
    assert.equal(status, 200);
    assert.ok(most < maxGarbage, `${most} bytes`);
  });

  it('that is refused before its end is freed as it arrives', async () => {
    const { status, most } = await send([lines], longLine, 79);
    assert.equal(status, 401);
    assert.ok(most < maxGarbage, `${most} bytes`);
  });

  it('that is read whole is freed with the answer', async () => {
    const atRest = process.memoryUsage().arrayBuffers;
    const { status, most } = await send([token, json], longLine, 8);
    assert.equal(status, 422);
    assert.ok(most < 8 * mebibyte + maxGarbage, `${most} bytes`);
    const left = process.memoryUsage().arrayBuffers - atRest;
    assert.ok(left < maxGarbage, `${left} bytes are left`);
  });
});
