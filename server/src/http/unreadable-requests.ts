import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { ApiError } from '../errors/api-error.ts';

const messages: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The request line and the headers are over 16 KiB.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time.',
};

// Closing at once could take the answer away from a client that is still sending.
const lingerMs = 1_000;

/**
 * Answers what Node cannot read as HTTP, in the same envelope and with the same headers as everything else, and closes
 * the connection: where the next request would begin is not known. There is no request yet, so nothing is counted.
 */
export function answerUnreadable(error: Error & { code?: string }, socket: Socket): void {
  // Whoever is gone gets no answer.
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const message = messages[error.code ?? ''];
  const refusal = new ApiError('bad_request', message === undefined ? {} : { message });
  const body = JSON.stringify(refusal.toBody());
  const head = [
    `HTTP/1.1 ${refusal.status} Bad Request`,
    `x-request-id: ${randomUUID()}`,
    'cache-control: no-store',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  socket.setTimeout(lingerMs, () => socket.destroy());
}
