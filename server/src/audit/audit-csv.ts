import type { Static } from 'typebox';
import { csvRow } from '../api/csv-row.ts';
import type { AuditEntry } from './audit-entry.ts';
import { AuditEntryWire, auditEntryToWire } from './audit-wire.ts';

type Wire = Static<typeof AuditEntryWire>;

/** The columns: the fields of the list. */
export const auditCsvHeader = Object.keys(AuditEntryWire.properties) as (keyof Wire)[];

export function auditCsvRow(entry: Wire): string {
  const cells = { ...entry, details: JSON.stringify(entry.details) };
  return csvRow(auditCsvHeader.map((column) => cells[column]));
}

/** Yields CSV of the entries. The first part has the header and rows, so that a failure to read them is an error response. */
export async function* auditCsvText(
  entries: AsyncIterable<readonly AuditEntry[]>,
): AsyncGenerator<string, void> {
  let header = csvRow(auditCsvHeader);
  for await (const part of entries) {
    yield header + part.map((entry) => auditCsvRow(auditEntryToWire(entry))).join('');
    header = '';
  }
  if (header !== '') yield header;
}
