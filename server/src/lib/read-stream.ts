import type { Readable } from 'node:stream';

/**
 * The whole stream as one buffer; null as soon as it is longer than `limit` bytes. The rest of it is then thrown away
 * as it comes: a stream that was destroyed would take the connection with it, and the sender would never read why.
 */
export async function readStream(stream: Readable, limit: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > limit) break;
    chunks.push(chunk);
  }
  if (length <= limit) return Buffer.concat(chunks, length);
  stream.resume();
  return null;
}
