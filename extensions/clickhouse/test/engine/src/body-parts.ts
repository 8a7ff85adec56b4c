/** Bytes of a part. */
const partBytes = 32 * 1024 * 1024;

const lineFeed = 0x0a;

/**
 * Cuts the data of an INSERT into parts that can be inserted one after the other, as a server does: a failure leaves the rows
 * of earlier parts. Each line is a row.
 */
export async function* readParts(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    const end = chunk.lastIndexOf(lineFeed) + 1;
    if (bytes < partBytes || end === 0) continue;
    chunks[chunks.length - 1] = chunk.subarray(0, end);
    yield Buffer.concat(chunks);
    chunks = [chunk.subarray(end)];
    bytes = chunk.length - end;
  }
  if (bytes > 0) yield Buffer.concat(chunks);
}
