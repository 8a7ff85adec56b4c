import { StringDecoder } from 'node:string_decoder';

/**
 * Yields the lines of a stream of JSON lines. They end at a line feed alone: `node:readline` also splits at U+2028 and U+2029,
 * which JSON strings may contain.
 */
export async function* jsonLines(
  stream: AsyncIterable<string | Uint8Array>,
): AsyncGenerator<string, undefined, undefined> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of stream) {
    const lines = (rest + (typeof chunk === 'string' ? chunk : decoder.write(Buffer.from(chunk)))).split(
      '\n',
    );
    rest = lines.pop() ?? '';
    for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line;
  }
  rest += decoder.end();
  if (rest !== '') yield rest;
  return undefined;
}
