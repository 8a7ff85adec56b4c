import type { Traffic } from './client/demo-client.ts';

/** The result of one step of a data set. */
export interface StepResult {
  readonly dataSet: string;
  readonly name: string;
  /** Records that were sent, read or compared. */
  readonly records: number;
  readonly traffic: Traffic;
  readonly durationMs: number;
  /** The differences as sentences; empty if there are none. */
  readonly differences: readonly string[];
}

/** A step while it runs. */
export class Step {
  readonly differences: string[] = [];
  records = 0;
  readonly #onAdvance: (records: number) => void;

  constructor(onAdvance: (records: number) => void = () => {}) {
    this.#onAdvance = onAdvance;
  }

  /** Counts one finished record, or the given number. */
  advance(records = 1): void {
    this.records += records;
    this.#onAdvance(this.records);
  }

  /** Records a difference from the source. The run continues, and exits with code 1. */
  differs(difference: string): void {
    this.differences.push(difference);
  }
}

const maxShown = 20;

/** The table at the end, and the first differences. */
export function summaryOf(results: readonly StepResult[]): string {
  const header = ['data set', 'step', 'records', 'requests', 'refused', 'repeated', 'seconds', 'differences'];
  const rows = results.map(({ dataSet, name, records, traffic, durationMs, differences }) => [
    dataSet,
    name,
    grouped(records),
    grouped(traffic.requests),
    grouped(traffic.refused),
    grouped(traffic.repeated),
    (durationMs / 1000).toFixed(1),
    grouped(differences.length),
  ]);
  const widths = header.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => (row[column] as string).length)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) =>
        column < 2 ? cell.padEnd(widths[column] as number) : cell.padStart(widths[column] as number),
      )
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '-'.repeat(width)).join('  ');
  return [line(header), rule, ...rows.map(line), '', ...verdict(results)].join('\n');
}

function verdict(results: readonly StepResult[]): string[] {
  const all = results.flatMap(({ dataSet, name, differences }) =>
    differences.map((difference) => `  ${dataSet}, ${name}: ${difference}`),
  );
  if (all.length === 0) return ['Everything came back as it was sent.'];
  const rest = all.length > maxShown ? [`  and ${grouped(all.length - maxShown)} more`] : [];
  const title = all.length === 1 ? '1 difference:' : `${grouped(all.length)} differences:`;
  return [title, ...all.slice(0, maxShown), ...rest];
}

function grouped(count: number): string {
  return count.toLocaleString('en');
}
