import { once } from 'node:events';
import { createGunzip } from 'node:zlib';
import { invalidField } from '../../errors/api-error.ts';
import { freeBytes } from './free-bytes.ts';

const outputBytes = 64 * 1024;

/**
 * Decodes a gzip body piece by piece, only as fast as the pieces are consumed. Several gzip members in a row are one body (RFC
 * 1952, 2.2).
 * @throws ApiError `validation_failed` on `body` if it is not gzip, is truncated, or is followed by other bytes; what `chunks`
 * throws
 */
export async function* decodeGzip(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: outputBytes });
  const left = new AbortController();
  let sent = 0;
  let isSent = false;
  const send = async () => {
    try {
      for await (const chunk of chunks) {
        sent += chunk.length;
        if (!gunzip.write(chunk, () => freeBytes(chunk)))
          await once(gunzip, 'drain', { signal: left.signal });
        if (left.signal.aborted) return;
      }
      isSent = true;
      gunzip.end();
    } catch (error) {
      gunzip.destroy(error as Error);
    }
  };
  gunzip.on('error', () => {});
  void send();
  try {
    yield* gunzip as AsyncIterable<Buffer>;
    // zlib ends at the end of the gzip data and leaves zeros that follow it unread [D42].
    if (!isSent || gunzip.bytesWritten !== sent)
      throw invalidField('body', 'must not have data after its gzip stream');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code?.startsWith('Z_') ? invalidField('body', 'must be valid gzip') : error;
  } finally {
    left.abort();
    gunzip.destroy();
  }
}
