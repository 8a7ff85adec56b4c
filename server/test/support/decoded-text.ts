import { brotliDecompressSync, gunzipSync } from 'node:zlib';

/** Decodes a body as a client does. @throws Error when the body does not match its content coding */
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
