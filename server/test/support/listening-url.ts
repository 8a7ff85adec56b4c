import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';

/** Lets a server listen on a free port of the loopback until the test (or the file) ends, and returns its URL. */
export async function listeningUrl(
  server: Pick<Server, 'listen' | 'address' | 'close' | 'closeAllConnections'>,
): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
