import { stringify } from 'csv-stringify/sync';
import type { ExportRow } from './export-rows.ts';
import { Spool, type SpoolRef } from './export-spool.ts';

/**
 * Yields CSV with a column for each name that a row has. The rows wait in a temporary file until all names are known.
 * A product whose axes are in another order than the columns states no axes: they would change it [D275].
 * @param onUnordered called for each of those products
 */
export async function* exportCsv(
  rows: AsyncIterable<ExportRow>,
  firstColumns: readonly string[],
  onUnordered: () => void,
): AsyncGenerator<string> {
  const columns = [...firstColumns];
  const spool = new Spool<ExportRow>();
  try {
    const refs: SpoolRef[] = [];
    for await (const row of rows) {
      addColumns(columns, Object.keys(row));
      refs.push(spool.add(row));
    }
    yield stringify([columns]);
    for (const ref of refs) {
      const row = spool.get(ref);
      const isKept = isInOrder(row, columns);
      if (!isKept) onUnordered();
      const cells = columns.map((name) => (isKept || !isAxis(name) ? String(row[name] ?? '') : ''));
      yield stringify([cells]);
    }
  } finally {
    spool.close();
  }
}

/** Adds unknown names, each before the next name of its row that is known: few rows are then in another order. */
function addColumns(columns: string[], names: readonly string[]): void {
  for (const [at, name] of names.entries()) {
    if (columns.includes(name)) continue;
    const next = names.slice(at + 1).find((one) => columns.includes(one));
    columns.splice(next === undefined ? columns.length : columns.indexOf(next), 0, name);
  }
}

/** The order of a variant's axes means nothing. */
function isInOrder(row: ExportRow, columns: readonly string[]): boolean {
  if (row['product_sku'] !== undefined) return true;
  const places = Object.keys(row)
    .filter(isAxis)
    .map((name) => columns.indexOf(name));
  return places.every((place, at) => at === 0 || place > (places[at - 1] ?? 0));
}

function isAxis(name: string): boolean {
  return name.startsWith('axis:');
}
