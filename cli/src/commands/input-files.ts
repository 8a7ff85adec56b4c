import { constants, createReadStream, openSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { InvalidArgumentError } from 'commander';
import type { CliContext } from '../context/cli-context.ts';
import type { InputFile } from '../input/input-rows.ts';

/**
 * Returns the files of a command line; `-` is the standard input, as JSONL if its name in front says so: `jsonl:-`. What is no
 * regular file, such as a named pipe, is a stream as well: it can be read once.
 */
export function inputFiles(
  { stdin, signal }: Pick<CliContext, 'stdin' | 'signal'>,
  paths: readonly string[],
  delimiter: string | undefined,
): InputFile[] {
  return paths.map((path) => {
    const [, format] = /^(csv|jsonl):-$/.exec(path) ?? [];
    if (path !== '-' && format === undefined) {
      const stream = openStream(path);
      if (stream !== null) endWith(signal, stream);
      return stream === null ? { path, delimiter } : { path, stream, delimiter };
    }
    endWith(signal, stdin);
    return { path: 'standard input', stream: stdin, format: (format ?? 'csv') as 'csv' | 'jsonl', delimiter };
  });
}

/** Returns a stream of what can be read only once; null for a file, and for what cannot be read, whose reader says why. */
function openStream(path: string): NodeJS.ReadableStream | null {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isFile() || found.isDirectory()) return null;
  if (!found.isFIFO()) return createReadStream(path);
  // Opening a pipe without a writer would hold a thread, and with it the end of the process.
  return new Socket({ fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK), writable: false });
}

/** Ends a stream with the command, which would wait for its next byte otherwise. */
function endWith(signal: AbortSignal, stream: NodeJS.ReadableStream): void {
  const end = () => (stream as Readable).destroy(signal.reason as Error);
  signal.addEventListener('abort', end, { once: true });
}

/** Parses the character between the cells of CSV; `tab` and `\t` mean a tab. */
export function parseDelimiter(text: string): string {
  const delimiter = text === 'tab' || text === '\\t' ? '\t' : text;
  if (!/^[^"\r\n]$/.test(delimiter)) throw new InvalidArgumentError('It is one character, or tab.');
  return delimiter;
}

/** Returns the parser of `--column <column=name>`, which may be given several times. */
export function columnParser(isKnown: (column: string) => boolean) {
  return (text: string, columns: Record<string, string> = {}): Record<string, string> => {
    const [column = '', name = ''] = text.split(/=(.*)/s);
    if (!isKnown(column) || name === '')
      throw new InvalidArgumentError('It is not a column and its name in the file, such as sku=article.');
    return { ...columns, [column]: name };
  };
}
