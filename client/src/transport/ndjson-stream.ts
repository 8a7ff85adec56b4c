const linesPerChunk = 500;

/** Encodes values as NDJSON while the stream is read, in chunks of 500 lines. */
export function ndjsonStream(values: Iterable<unknown> | AsyncIterable<unknown>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const iterator = (async function* () {
    yield* values;
  })();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const lines: string[] = [];
      while (lines.length < linesPerChunk) {
        const { value, done } = await iterator.next();
        if (done === true) break;
        lines.push(`${JSON.stringify(value)}\n`);
      }
      if (lines.length > 0) controller.enqueue(encoder.encode(lines.join('')));
      if (lines.length < linesPerChunk) controller.close();
    },
    async cancel() {
      await iterator.return();
    },
  });
}
