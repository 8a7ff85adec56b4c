import { join } from 'node:path';
import { readBytes, rowsOfCsv } from '../../data-files.ts';
import { DemoError } from '../../demo-error.ts';

/** One row of a log, with unchanged strings. */
export interface LogRow {
  /** The module and term in the file's name, such as `1-F19`. */
  readonly log: string;
  /** 0-based row number in the file. */
  readonly row: number;
  /** `d/mm/yy, HH:MM`, local time. */
  readonly time: string;
  /** `File: Lecture 5`: the kind of an activity and its title. */
  readonly context: string;
  readonly eventName: string;
  readonly description: string;
}

const terms = {
  1: ['F19', 'F20', 'SP18', 'SP19', 'SP20', 'SP21'],
  2: ['F17', 'SP18'],
  3: ['F17', 'SP17', 'SP18'],
  5: ['F17', 'SP17', 'SP18'],
};

const logs = Object.entries(terms).flatMap(([module, ofModule]) =>
  ofModule.map((term) => ({ log: `${module}-${term}`, file: `Moodle_Module_${module}_${term}.csv.gz` })),
);

export const logFileNames: readonly string[] = logs.map(({ file }) => file);

/** The rows of all logs, file by file. */
export async function readLogs(dir: string): Promise<LogRow[]> {
  const rows: LogRow[] = [];
  for (const { log, file } of logs) {
    const cells = rowsOfCsv(decode(await readBytes(join(dir, file))));
    for (const [row, of] of cells.entries())
      rows.push({
        log,
        row,
        time: required(of['Time'], file, row),
        context: required(of['Event context'], file, row),
        eventName: required(of['Event name'], file, row),
        description: of['Description'] ?? '',
      });
  }
  return rows;
}

/** Two of the files are in Windows-1252 instead of UTF-8. */
export function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function required(text: string | undefined, file: string, row: number): string {
  if (text === undefined || text === '') throw new DemoError(`${file}, row ${row + 1}: a cell is missing`);
  return text;
}
