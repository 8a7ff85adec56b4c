import { copyFile, writeFile } from 'node:fs/promises';
import type { DatasetTable } from '../../columns/dataset-table.ts';

/** Writes a day as JSON, a flat object each line. */
export async function writeJsonlDay(_table: DatasetTable, rows: string | null, path: string): Promise<void> {
  if (rows === null) await writeFile(path, '');
  else await copyFile(rows, path);
}
