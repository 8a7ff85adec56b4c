import { brotliDecompressSync, gunzipSync } from 'node:zlib';

/** The text of a body as a client understands it. @throws Error when it is not what its content coding says */
export function decodedText(body: Buffer, coding: unknown): string {
  switch (coding) {
    case undefined:
      return body.toString('utf8');
    case 'gzip':
      return body.length === 0 ? '' : gunzipSync(body).toString('utf8');
    case 'br':
      return body.length === 0 ? '' : brotliDecompressSync(body).toString('utf8');
    default:
      throw new Error(`unexpected content coding ${String(coding)}`);
  }
}
