import { fstatSync, statSync } from 'node:fs';
import { devNull } from 'node:os';
import { CliError, OutputClosed, OutputFailed, UsageError } from '../errors.ts';
import { jsonForTerminal, visibleText } from './visible-text.ts';

export type OutputFormat = 'table' | 'json' | 'quiet';

/** The columns of a table by their heads: a field of the row, or what is shown. A head is no number, which would come first. */
export type Columns<Row> = Readonly<Record<string, (keyof Row & string) | ((row: Row) => unknown)>>;

export interface ListLayout<Row> {
  readonly columns: Columns<Row>;
  /** The id of a row, which `--quiet` prints. */
  readonly id: (row: Row) => string | number;
}

/** Data on standard output. All values are written as the service sent them; tables are for people. */
export interface Output {
  readonly format: OutputFormat;
  /** Writes one thing: lines of names and values, one JSON document, or its id. */
  item<Value extends object>(value: Value, layout: ItemLayout<Value>): void;
  /**
   * Writes a list: a table, one JSON array, or an id a line. JSON and ids are written while the rows arrive; a table keeps
   * its cells in memory.
   */
  list<Row>(rows: AsyncIterable<Row> | Iterable<Row>, layout: ListLayout<Row>): Promise<void>;
  /** Writes rows as they arrive: with `--json` as JSONL, otherwise as lines of columns that tabs separate. */
  stream<Row>(rows: AsyncIterable<Row> | Iterable<Row>, layout: ListLayout<Row>): Promise<void>;
  /** Writes text as it is. @throws OutputClosed once the reader has gone, OutputFailed once a write has failed */
  write(text: string): void;
  /** Waits until the operating system has all that was written. @throws like `write` */
  flush(): Promise<void>;
  /** Checks before a secret is issued that its output is not discarded. @throws UsageError */
  requireReader(): void;
  /**
   * Waits like `flush`, after a secret that is shown once. @param lost what to do if nobody has it, as a sentence
   * @throws CliError with `lost`
   */
  flushSecret(lost: string): Promise<void>;
}

export interface ItemLayout<Value> {
  /** Labels and values; null and undefined values are shown as `-`. Default: all fields. */
  readonly fields?: (value: Value) => readonly (readonly [label: string, value: unknown])[];
  readonly id: (value: Value) => string | number;
}

export function createOutput(
  stdout: NodeJS.WritableStream & {
    readonly isTTY?: boolean;
    readonly columns?: number;
    readonly fd?: number;
  },
  format: OutputFormat,
  isColorWanted: boolean,
): Output {
  let failure: OutputClosed | OutputFailed | null = null;
  // Without a listener, a closed pipe would end the process with a stack trace. Later errors follow from the first one.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    failure ??= error.code === 'EPIPE' ? new OutputClosed() : new OutputFailed(error);
  });
  const write = (text: string) => {
    if (failure !== null) throw failure;
    stdout.write(text);
  };
  const flush = async () => {
    // The error is emitted after the callback of a write that failed.
    await new Promise<void>((resolve) => stdout.write('', () => setImmediate(resolve)));
    if (failure !== null) throw failure;
  };
  const writeIds = (ids: readonly (string | number)[]) => write(ids.map((id) => `${id}\n`).join(''));
  return {
    format,
    write,
    flush,
    requireReader: () => {
      if (isDiscarded(stdout))
        throw new UsageError(
          'Standard output is closed or /dev/null: the secret, which is shown once, would be lost. Nothing was changed.',
        );
    },
    flushSecret: async (lost) => {
      await flush().catch((error: Error) => {
        throw new CliError(`${error.message} ${lost}`);
      });
    },
    item: (value, { fields, id }) => {
      if (format === 'quiet') return writeIds([id(value)]);
      if (format === 'json') return write(`${jsonForTerminal(value, 2)}\n`);
      const lines = fields?.(value) ?? Object.entries(value);
      const width = Math.max(0, ...lines.map(([label]) => label.length));
      const text = (cell: unknown) =>
        wrapped(cell, (stdout.columns ?? 100) - width - 2).replaceAll('\n', `\n${' '.repeat(width + 2)}`);
      write(lines.map(([label, cell]) => `${label.padEnd(width)}  ${text(cell)}\n`).join(''));
    },
    list: async (rows, layout) => {
      if (format === 'json') return writeJsonArray(rows, write);
      if (format === 'quiet') {
        for await (const row of rows) write(`${layout.id(row)}\n`);
        return;
      }
      const { textTable } = await import('./text-table.ts');
      const cells: string[][] = [];
      for await (const row of rows)
        cells.push(valuesOf(row, layout.columns).map((value) => wrapped(value, listWidth)));
      write(
        textTable(Object.keys(layout.columns), cells, { isBold: isColorWanted && stdout.isTTY === true }),
      );
    },
    stream: async (rows, { columns, id }) => {
      for await (const row of rows) {
        if (format === 'quiet') writeIds([id(row)]);
        else if (format === 'json') write(`${jsonForTerminal(row)}\n`);
        else write(`${valuesOf(row, columns).map(visibleText).join('\t')}\n`);
      }
    },
  };
}

function valuesOf<Row>(row: Row, columns: Columns<Row>): unknown[] {
  return Object.values(columns).map((of) => (typeof of === 'string' ? row[of] : of(row)));
}

/** Returns whether nobody can read the output. Node opens the null device for a standard output that is closed. */
function isDiscarded(stdout: { readonly fd?: number }): boolean {
  if (stdout.fd === undefined) return false;
  const { rdev } = fstatSync(stdout.fd);
  return rdev !== 0 && rdev === statSync(devNull).rdev;
}

/** The characters of a list in a cell of a table. */
const listWidth = 48;

/** Formats a value like `visibleText`; a long list has several lines. */
function wrapped(value: unknown, width: number): string {
  if (!Array.isArray(value)) return visibleText(value);
  const lines: string[] = [];
  for (const part of visibleText(value).split(/(?<=, )/)) {
    const last = lines.at(-1);
    if (last === undefined || last.length + part.trimEnd().length > width) lines.push(part);
    else lines[lines.length - 1] = last + part;
  }
  return lines.map((line) => line.trimEnd()).join('\n');
}

async function writeJsonArray(
  rows: AsyncIterable<unknown> | Iterable<unknown>,
  write: (text: string) => void,
): Promise<void> {
  let before = '[';
  for await (const row of rows) {
    write(`${before}\n  ${jsonForTerminal(row)}`);
    before = ',';
  }
  write(before === '[' ? '[]\n' : '\n]\n');
}
