import type { ServerResponse } from 'node:http';

/** Closes the connection when the response would be sent: its request is done, and the client does not learn of it. */
export function loseResponse(response: ServerResponse): void {
  const lose = () => {
    response.socket?.destroy();
    return response;
  };
  Object.assign(response, { writeHead: lose, end: lose, write: () => lose().writable });
}

/** Sends the head and the first half of the body, or of its first part, and closes the connection. */
export function cutResponse(response: ServerResponse): void {
  const write = response.write.bind(response);
  let isCut = false;
  const cut = (part: unknown) => {
    if (isCut) return;
    isCut = true;
    const bytes = part instanceof Uint8Array ? part : Buffer.from(typeof part === 'string' ? part : '');
    const close = () => response.socket?.destroy();
    if (bytes.length === 0) response.flushHeaders();
    write(bytes.subarray(0, bytes.length >> 1), close);
  };
  const end = (part?: unknown) => {
    cut(part);
    return response;
  };
  const writePart = (part: unknown) => {
    cut(part);
    return false;
  };
  Object.assign(response, { write: writePart, end });
}
