import { isUtf8 } from 'node:buffer';
import { InputError } from '../errors.ts';

interface CsvText {
  /** The delimiter that a first line such as `sep=;` states; null without one. */
  readonly separator: string | null;
  /** The whole text, with that line. */
  readonly text: AsyncIterable<string>;
}

/** Opens a file of CSV. @throws InputError for an encoding that is not UTF-8, also while the text is iterated */
export async function openCsv(path: string, stream: NodeJS.ReadableStream): Promise<CsvText> {
  const texts = decoded(path, stream);
  let start = '';
  let isEnded = false;
  while (!isEnded && start.length < '\uFEFFsep=;\n'.length) {
    const { value = '', done = false } = await texts.next();
    start += value;
    isEnded = done;
  }
  async function* all() {
    yield start;
    yield* texts;
  }
  const [, separator = null] = /^\uFEFF?sep=([^\r\n"])(?=\r|\n|$)/i.exec(start) ?? [];
  return { separator, text: all() };
}

async function* decoded(
  path: string,
  stream: NodeJS.ReadableStream,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let lines = 0;
  let isFirst = true;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    if (isFirst) assertNoUtf16(path, bytes);
    isFirst = false;
    try {
      yield decoder.decode(bytes, { stream: true });
    } catch {
      throw foreign(
        `${path}:${lines + 1 + linesBeforeForeign(bytes)}`,
        'in UTF-8, but probably in Windows-1252',
      );
    }
    for (const byte of bytes) if (byte === 0x0a) lines += 1;
  }
  try {
    yield decoder.decode();
  } catch {
    throw foreign(`${path}:${lines + 1}`, 'in UTF-8: it ends inside of a character');
  }
}

function foreign(place: string, encoding: string): InputError {
  return new InputError(`${place}: it is not ${encoding}. Save the file as "CSV UTF-8".`);
}

/** Files of Excel's "Unicode Text" begin with a byte order mark; without one, each letter has a zero byte before or after it. */
function assertNoUtf16(path: string, bytes: Buffer): void {
  const [first, second, third, fourth] = bytes;
  const hasMark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  const hasZeros = (first === 0 && third === 0) || (second === 0 && fourth === 0);
  if (hasMark || hasZeros) throw new InputError(`${path}: it is in UTF-16. Save the file as "CSV UTF-8".`);
}

/** Returns the number of lines before the first one that is not UTF-8; the first one may have begun in earlier bytes. */
function linesBeforeForeign(bytes: Buffer): number {
  let [line, start] = [0, 0];
  for (;;) {
    const end = bytes.indexOf(0x0a, start);
    const isLast = end === -1;
    if (isLast || !isUtf8(bytes.subarray(start, end))) return line;
    start = end + 1;
    line += 1;
  }
}
