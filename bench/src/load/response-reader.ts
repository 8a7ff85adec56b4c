import { Buffer } from 'node:buffer';

/** Finds the end of each response of one connection. Bodies are counted and not decoded. */
export interface ResponseReader {
  /** Returns the status when the response is complete, else 0. @throws Error on bytes that are no HTTP/1.1 response */
  push(chunk: Buffer): number;
}

/** The head of a response ends here. */
const blankLine = Buffer.from('\r\n\r\n');
const none: Buffer = Buffer.alloc(0);

/** Reads responses that do not overlap: the next request is sent after the response is complete. */
export function createResponseReader(): ResponseReader {
  let pending = none;
  let status = 0;
  /** Bytes of the body that are missing; `chunked` until the last chunk arrived. */
  let missing: number | 'chunked' = 0;

  const finish = () => {
    const done = status;
    status = 0;
    pending = none;
    return done;
  };

  return {
    push(chunk) {
      if (status !== 0 && missing !== 'chunked') {
        missing -= chunk.length;
        return isComplete(missing) ? finish() : 0;
      }
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      if (status === 0) {
        const end = pending.indexOf(blankLine);
        if (end < 0) return 0;
        const head = pending.toString('latin1', 0, end);
        if (!head.startsWith('HTTP/1.1 ')) throw new Error(`no HTTP/1.1 response: ${head.slice(0, 100)}`);
        status = Number(head.slice(9, 12));
        pending = pending.subarray(end + blankLine.length);
        missing = bodyLength(head, status);
        if (missing !== 'chunked') {
          missing -= pending.length;
          return isComplete(missing) ? finish() : 0;
        }
      }
      return hasLastChunk(pending) ? finish() : 0;
    },
  };
}

function isComplete(missing: number): boolean {
  if (missing < 0) throw new Error('a response is longer than its Content-Length');
  return missing === 0;
}

function bodyLength(head: string, status: number): number | 'chunked' {
  if (status === 304 || status === 204) return 0;
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) return Number(length);
  if (/\r\ntransfer-encoding: *chunked/i.test(head)) return 'chunked';
  throw new Error('a response has neither Content-Length nor chunks');
}

/** Returns whether the chunks are complete: size line, data, …, a chunk of size 0. Trailers are not expected. */
function hasLastChunk(bytes: Buffer): boolean {
  for (let at = 0; ; ) {
    const line = bytes.indexOf('\r\n', at);
    if (line < 0) return false;
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16);
    if (Number.isNaN(size)) throw new Error('a chunk without a size');
    at = line + 2 + size + 2;
    if (at > bytes.length) return false;
    if (size === 0) return true;
  }
}
