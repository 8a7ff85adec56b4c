import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Sends bytes that no HTTP library would send. Returns everything received until the server closes. */
export async function sendRaw(url: string, bytes: string | Uint8Array, limitMs = 10_000): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    answer += text;
  });
  socket.on('error', () => {}); // a reset is an answer as well
  socket.setTimeout(limitMs, () => socket.destroy());
  socket.write(bytes);
  await closeOf(socket);
  return answer;
}

/** Sends the beginning of a request and disconnects. */
export async function abandon(url: string, bytes: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  await once(socket, 'connect');
  await new Promise((resolve) => socket.write(bytes, resolve));
  const closed = closeOf(socket);
  socket.destroy();
  await closed;
}

/** Resolves when the connection is closed, by a reset too (`once` would reject on that). */
export function closeOf(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}
