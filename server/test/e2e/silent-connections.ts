import { connect } from 'node:net';
import process from 'node:process';

/**
 * A process that opens connections and keeps them: `node silent-connections.ts <port> <count> [bytes]`. Each sends
 * `bytes` bytes of a request that never ends. Prints a line with the number when all are connected.
 */
const [port = 0, count = 0, bytes = 0] = process.argv.slice(2).map(Number);
const beginning = `GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(bytes)}`;
let connected = 0;
const atOnce = 50;
for (let i = 0; i < count; i += atOnce)
  await Promise.all(Array.from({ length: Math.min(atOnce, count - i) }, open));
process.stdout.write(`${connected}\n`);
setInterval(() => {}, 1_000);

function open(): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      connected += 1;
      if (bytes > 0) socket.write(beginning);
      resolve();
    });
    socket.on('error', () => resolve());
  });
}
