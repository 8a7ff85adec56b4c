import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { after } from 'node:test';

/** A connection path to a server that a test can break. */
export interface TcpProxy {
  readonly port: number;
  /** Closes every connection and refuses new ones, like a server that is down. */
  cut(): Promise<void>;
  /** Accepts and keeps connections but forwards nothing, like a frozen server. */
  hang(): void;
  /**
   * Terminates the next `count` connections that become ready for a query, as PostgreSQL does when an administrator
   * terminates a session: the FATAL error arrives in one packet with the ReadyForQuery.
   */
  endWhenReady(count: number): void;
  /**
   * Forwards the next client data that contains `text`, and closes that connection instead of forwarding what the server
   * answers. Resolves when the answer has arrived, and is lost.
   */
  loseAnswerTo(text: string): Promise<void>;
  /** Closes, until `restore`, each connection whose client sends `text`, which is not forwarded. */
  cutBefore(text: string): void;
  /** Delays the server's data by this many milliseconds; 0: no delay. */
  slowDown(ms: number): void;
  /** Replaces `text` in the server's data by another one of the same length. */
  replace(text: string, by: string): void;
  /** Closes every connection, and leads new ones to another target. */
  leadTo(target: string | number): Promise<void>;
  /** Restores the path and forwards the data held back meanwhile. */
  restore(): Promise<void>;
}

/** ReadyForQuery outside a transaction. */
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

/** Forwards a loopback port to a Unix socket, that of a PostgreSQL, or another loopback port until the test (or file) ends. */
export async function startTcpProxy(
  first: string | number | { readonly host: string; readonly port: number },
): Promise<TcpProxy> {
  let target = typeof first === 'object' ? `${first.host}/.s.PGSQL.${first.port}` : first;
  const pairs = new Set<readonly [Socket, Socket]>();
  let hanging = false;
  let toEnd = 0;
  let toLose: { readonly text: string; readonly done: () => void } | null = null;
  let toRefuse: string | null = null;
  let delayMs = 0;
  let replacement: { readonly text: string; readonly by: string } | null = null;
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
    let losing: (() => void) | null = null;
    for (const [from, to] of [pair, [upstream, client] as const]) {
      from.on('data', (chunk: Buffer) => {
        if (from === upstream && losing !== null) {
          losing();
          return end();
        }
        if (from === client && toRefuse !== null && chunk.includes(toRefuse)) return end();
        if (from === client && toLose !== null && chunk.includes(toLose.text)) {
          losing = toLose.done;
          toLose = null;
        }
        if (from === upstream && replacement !== null) {
          const at = chunk.indexOf(replacement.text);
          if (at >= 0) chunk.write(replacement.by, at);
        }
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
        // The last bytes must still arrive.
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
    loseAnswerTo: (text) =>
      new Promise((resolve) => {
        toLose = { text, done: resolve };
      }),
    cutBefore: (text) => {
      toRefuse = text;
    },
    replace: (text, by) => {
      replacement = { text, by };
    },
    slowDown: (ms) => {
      delayMs = ms;
    },
    leadTo: async (next) => {
      await cut();
      target = next;
      await listen(port);
    },
    restore: async () => {
      hanging = false;
      toRefuse = null;
      delayMs = 0;
      for (const pair of pairs) for (const socket of pair) socket.resume();
      if (server === null) await listen(port);
    },
  };
}
