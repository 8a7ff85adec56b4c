import { connect, type Socket } from 'node:net';
import type { RequestBytes } from './request-bytes.ts';
import { createResponseReader } from './response-reader.ts';

export interface LoadConnectionOptions {
  readonly host: string;
  readonly port: number;
  /** Cycled through. */
  readonly requests: readonly RequestBytes[];
  /** The number of the next request, unique in the load. */
  nextNumber(): number;
  /** Receives each response; the connection sends its next request if this returns true. */
  onResponse(status: number, milliseconds: number): boolean;
}

/** One connection of a closed loop. */
export interface LoadConnection {
  /** Sends requests until `onResponse` returns false. @throws Error when the connection fails or the server closes it */
  run(): Promise<void>;
  bytesRead(): number;
  close(): void;
}

/** Connects. @throws Error when the server does not accept */
export async function openLoadConnection(options: LoadConnectionOptions): Promise<LoadConnection> {
  const socket = connect({ host: options.host, port: options.port, noDelay: true });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  return {
    run: () => new Promise((resolve, reject) => loop(socket, options, resolve, reject)),
    bytesRead: () => socket.bytesRead,
    close: () => socket.destroy(),
  };
}

function loop(
  socket: Socket,
  { requests, nextNumber, onResponse }: LoadConnectionOptions,
  resolve: () => void,
  reject: (error: Error) => void,
): void {
  const reader = createResponseReader();
  let at = 0;
  let sentAt = 0;
  const send = () => {
    const bytes = (requests[at] as RequestBytes)(nextNumber());
    at = (at + 1) % requests.length;
    sentAt = performance.now();
    socket.write(bytes);
  };
  socket.on('error', reject);
  socket.on('close', () => reject(new Error('the server closed a connection of the load')));
  socket.on('data', (chunk) => {
    try {
      const status = reader.push(chunk);
      if (status === 0) return;
      if (onResponse(status, performance.now() - sentAt)) send();
      else resolve();
    } catch (error) {
      reject(error as Error);
    }
  });
  send();
}
