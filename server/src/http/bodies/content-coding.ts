import { once } from 'node:events';
import { createGunzip } from 'node:zlib';
import { ApiError, invalidField } from '../../errors/api-error.ts';
import { freeBytes } from './body-source.ts';

export type ContentCoding = 'identity' | 'gzip';

/**
 * The coding of a request body [platform-30]; `x-gzip` is gzip.
 * @throws ApiError `unsupported_media_type` for any other coding, for several, and for gzip where it is not accepted
 */
export function contentCodingOf(header: string | undefined, acceptsGzip: boolean): ContentCoding {
  if (header === undefined) return 'identity';
  const codings = header
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length === 0) return 'identity';
  if (acceptsGzip && codings.length === 1 && (codings[0] === 'gzip' || codings[0] === 'x-gzip'))
    return 'gzip';
  throw new ApiError('unsupported_media_type', {
    message: acceptsGzip
      ? 'The Content-Encoding must be gzip or absent.'
      : 'This endpoint does not support Content-Encoding.',
    // RFC 9110, 15.5.16.
    headers: { 'accept-encoding': acceptsGzip ? 'gzip' : 'identity' },
  });
}

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

const charsetParameter = /;\s*charset\s*=\s*("?)([^";]*)\1/gi;
const utf8Name = /^utf-?8$/i;

/** Bodies are always read as UTF-8 [platform-89]. @throws ApiError `unsupported_media_type` for a charset other than utf-8 */
export function requireUtf8(contentType: string | undefined): void {
  for (const [, , name = ''] of (contentType ?? '').matchAll(charsetParameter))
    if (!utf8Name.test(name.trim()))
      throw new ApiError('unsupported_media_type', {
        message: 'The charset of the Content-Type must be utf-8 or absent.',
      });
}
