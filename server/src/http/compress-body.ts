import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import { Gate } from '../lib/gate.ts';
import type { Coding } from './accept-encoding.ts';

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);

/** libuv has four threads; more at once would only hold memory, up to 270 KB each. */
const gate = new Gate(4);

/**
 * Compression levels. `fast` is for responses that are built once, `small` for bodies that are kept. Product lists of 28 KB to
 * 1.1 MB take 0.05 to 2.1 ms of a thread for 16 to 19 % of their size with Brotli 1; Brotli 4 and gzip 4 gain 1 % for two to four
 * times the time.
 */
const levels = {
  fast: { br: 1, gzip: 1 },
  small: { br: 9, gzip: 9 },
} as const;

/** Compresses on a separate thread; a call costs the event loop 0.1 ms at any size. */
export function compressBody(
  body: Uint8Array,
  coding: Coding,
  effort: keyof typeof levels = 'fast',
): Promise<Buffer> {
  return gate.run(() => {
    if (coding === 'gzip') return compressGzip(body, { level: levels[effort].gzip });
    const params = {
      [zlib.BROTLI_PARAM_QUALITY]: levels[effort].br,
      [zlib.BROTLI_PARAM_MODE]: zlib.BROTLI_MODE_TEXT,
      [zlib.BROTLI_PARAM_SIZE_HINT]: body.length,
    };
    return compressBrotli(body, { params });
  });
}
