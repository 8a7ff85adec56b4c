import { csvLines, csvRecords } from '../../../../client/src/feeds/csv.ts';
import type { InputOf } from '../../api/call.ts';
import { inPieces, pacer } from '../../parts/in-pieces.ts';

export type Part = InputOf<'correctFeed'>['body'];
type SentLine = Part['lines'][number];

/** A corrected line, and the position of the line that it replaces; null: of none. */
export interface CorrectedLine {
  readonly line: SentLine;
  readonly corrects: number | null;
}

/** The number of a line, from 1. The API's own files have `line`, from 0. */
export const numberColumn = 'number';

interface ReadOptions {
  readonly signal?: AbortSignal;
  /** Receives the part of the file that was read, from 0 to 1. */
  readonly onProgress?: (share: number) => void;
}

/**
 * Reads the lines of a CSV, each with the line of the feed that it replaces, in short tasks.
 * @throws BrandportError with the line of the file
 */
export async function readCorrections(
  csv: string,
  { signal, onProgress }: ReadOptions = {},
): Promise<readonly CorrectedLine[]> {
  /** The file is read twice: for the numbers, then for the lines. */
  const source = (pass: 0 | 1) =>
    inPieces(csv, {
      ...(signal && { signal }),
      onRead: (characters) => onProgress?.((pass + characters / csv.length) / 2),
    });
  const delimiter = delimiterOf(csv);
  const numbers: (number | null)[] = [];
  let [column, first] = [-1, 0];
  for await (const { line, values } of csvRecords(source(0), delimiter)) {
    if (column === -1) {
      column = values.findIndex((name) => name.trim() === numberColumn || name.trim() === 'line');
      if (column === -1) break;
      first = values[column]?.trim() === numberColumn ? 1 : 0;
      continue;
    }
    const number = values[column]?.trim() ?? '';
    if (number !== '' && !/^\d+$/.test(number))
      throw new Error(`Line ${line} of the CSV: the number is none.`);
    numbers.push(number === '' ? null : Number(number) - first);
  }
  const lines: CorrectedLine[] = [];
  for await (const { sku, location_code, ...others } of csvLines(source(1), { delimiter })) {
    const line = { ...others, sku: plain(sku), location_code: plain(location_code) };
    lines.push({ line, corrects: numbers[lines.length] ?? null });
  }
  if (lines.length === 0) throw new Error('The file has no lines.');
  return lines;
}

/** Returns the character between the names of the first line: spreadsheets of many countries write `;`. */
function delimiterOf(csv: string): string {
  const [names = ''] = csv.split(/[\r\n]/, 1);
  return [',', ';', '\t'].reduce((most, each) =>
    names.split(each).length > names.split(most).length ? each : most,
  );
}

/** Removes the apostrophe that files have before what a spreadsheet would compute. */
function plain(cell: string): string {
  return cell.replace(/^'(?=[=+@-])/, '');
}

/** Below the 1 MiB of a request, with room for the numbers of the lines. */
const partBytes = 900_000;
const bytesOfNumber = 8;

/** Divides lines into what single requests may have, in short tasks. */
export async function partsOf(corrections: readonly CorrectedLine[]): Promise<readonly Part[]> {
  const pace = pacer();
  const encoder = new TextEncoder();
  const parts: { lines: SentLine[]; corrects: number[] }[] = [];
  let left = 0;
  for (const { line, corrects } of corrections) {
    const bytes = encoder.encode(JSON.stringify(line)).length + 1 + bytesOfNumber;
    if (bytes > left) {
      parts.push({ lines: [], corrects: [] });
      left = partBytes;
    }
    left -= bytes;
    await pace();
    parts.at(-1)?.lines.push(line);
    if (corrects !== null) parts.at(-1)?.corrects.push(corrects);
  }
  return parts;
}
