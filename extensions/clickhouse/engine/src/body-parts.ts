import { interfaceException } from './exception.ts';
import { formatOf } from './statement.ts';

/** Bytes of a part, and of a body that cannot be cut. */
const partBytes = 32 * 1024 * 1024;
const wholeBytes = 512 * 1024 * 1024;

const lineFeed = 0x0a;
/** Formats with a row on each line. */
const lineFormats = new Set(['JSONEachRow', 'JSONCompactEachRow', 'TabSeparated', 'TSV']);

/**
 * Cuts the data of an INSERT into parts that can be inserted one after the other, as a server does: a failure leaves the rows
 * of earlier parts. The first part is read before this returns.
 * @throws EngineException if the format has no lines, and the body is larger than 512 MB
 */
export async function readParts(sql: string, body: AsyncIterable<Buffer>): Promise<AsyncIterable<Buffer>> {
  const parts = cut(body, lineFormats.has(formatOf(sql) ?? ''));
  const first = await parts.next();
  return (async function* () {
    if (first.done === true) return;
    yield first.value;
    yield* parts;
  })();
}

async function* cut(body: AsyncIterable<Buffer>, hasLines: boolean): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (!hasLines && bytes > wholeBytes)
      throw interfaceException(307, 'TOO_MANY_BYTES', `Body larger than ${wholeBytes} bytes`);
    if (!hasLines || bytes < partBytes) continue;
    const end = chunk.lastIndexOf(lineFeed) + 1;
    if (end === 0) continue;
    const rest = chunk.subarray(end);
    chunks[chunks.length - 1] = chunk.subarray(0, end);
    yield Buffer.concat(chunks);
    chunks = [rest];
    bytes = rest.length;
  }
  if (bytes > 0) yield Buffer.concat(chunks);
}
