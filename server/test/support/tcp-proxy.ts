import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { after } from 'node:test';

/** A way to a server that a test can break. */
export interface TcpProxy {
  readonly port: number;
  /** Ends every connection and refuses new ones, like a server that is down. */
  cut(): Promise<void>;
  /** Accepts connections and keeps those that are there, but passes nothing on, like a server that is frozen. */
  hang(): void;
  /**
   * Ends the next `count` connections on which a server becomes ready for a query, as PostgreSQL does when an administrator
   * terminates a session: the FATAL error arrives in one packet with the ReadyForQuery.
   */
  endWhenReady(count: number): void;
  /** Passes on what the server sends only after so many milliseconds; 0 = at once. */
  slowDown(ms: number): void;
  /** Everything works again; what was held back while it hung is passed on. */
  restore(): Promise<void>;
}

/** ReadyForQuery, outside of a transaction. */
const ready = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

/** ErrorResponse: FATAL 57P01. */
function terminated(): Buffer {
  const fields = Buffer.from(
    'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0',
  );
  const head = Buffer.from([0x45, 0, 0, 0, 0]);
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

/**
 * Passes connections to a loopback port on to a Unix socket, or to another loopback port, until the test (or the file)
 * ends.
 */
export async function startTcpProxy(target: string | number): Promise<TcpProxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let hanging = false;
  let toEnd = 0;
  let delayMs = 0;
  let server: Server | null = null;

  function accept(client: Socket): void {
    const upstream = typeof target === 'string' ? connect(target) : connect(target, '127.0.0.1');
    const pair = [client, upstream] as const;
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      client.destroy();
      upstream.destroy();
    };
    for (const [from, to] of [pair, [upstream, client] as const]) {
      from.on('data', (chunk: Buffer) => {
        if (from === client || toEnd === 0 || !chunk.subarray(-ready.length).equals(ready)) {
          if (delayMs === 0 || from === client) to.write(chunk);
          else setTimeout(() => to.destroyed || to.write(chunk), delayMs).unref();
          return;
        }
        toEnd -= 1;
        to.end(Buffer.concat([chunk, terminated()]));
        from.destroy();
      });
      from.on('error', end);
      from.on('close', () => {
        // What was written last still has to arrive.
        if (to.writableEnded && !to.destroyed) to.once('finish', end);
        else end();
      });
      if (hanging) from.pause();
    }
  }

  async function listen(port: number): Promise<number> {
    server = createServer(accept).listen(port, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  async function cut(): Promise<void> {
    const closing = server;
    server = null;
    const closed = closing === null ? null : once(closing, 'close');
    closing?.close();
    for (const pair of pairs) for (const socket of pair) socket.destroy();
    await closed;
  }

  const port = await listen(0);
  after(cut);
  return {
    port,
    cut,
    hang: () => {
      hanging = true;
      for (const pair of pairs) for (const socket of pair) socket.pause();
    },
    endWhenReady: (count) => {
      toEnd = count;
    },
    slowDown: (ms) => {
      delayMs = ms;
    },
    restore: async () => {
      hanging = false;
      delayMs = 0;
      for (const pair of pairs) for (const socket of pair) socket.resume();
      if (server === null) await listen(port);
    },
  };
}
