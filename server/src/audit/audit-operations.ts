import { type Static, Type } from 'typebox';
import { type Operation, readOperation } from '../api/operation.ts';
import { exampleListOf, listOf, pageQuery, pageReply } from '../api/pagination.ts';
import { sortQuery } from '../api/sort.ts';
import { csvRow } from '../lib/csv-row.ts';
import type { AuditEntry } from './audit-entry.ts';
import { auditSortColumns, listAuditEntries, readAuditEntries } from './audit-store.ts';
import {
  AuditEntryWire,
  auditEntryExample,
  auditEntryToWire,
  auditFilterFields,
  auditFilterFromWire,
} from './audit-wire.ts';

const listAuditEntriesOperation = readOperation({
  id: 'listAuditEntries',
  method: 'GET',
  path: '/audit',
  tag: 'Audit',
  summary: 'List audit entries',
  description:
    'Lists every change made on the internal surface, newest first: when, what, and on which resource. A request that changed nothing, such as revoking a revoked key, has no entry.',
  access: 'filtered-by-brand',
  query: Type.Object({
    ...auditFilterFields,
    ...sortQuery(auditSortColumns, '`-at`, newest first'),
    ...pageQuery,
  }),
  responses: {
    200: {
      description: 'One page of entries.',
      schema: listOf(AuditEntryWire, 'AuditPage'),
      example: exampleListOf(auditEntryExample),
    },
  },
  handle: async ({ database }, { query, brandIds }) => {
    const filter = { ...auditFilterFromWire(query), brandIds };
    return pageReply(query, (page) => listAuditEntries(database, filter, page, query.sort), auditEntryToWire);
  },
});

type Wire = Static<typeof AuditEntryWire>;

const auditCsvHeader = Object.keys(AuditEntryWire.properties) as (keyof Wire)[];

function auditCsvRow(entry: Wire): string {
  const cells = { ...entry, details: JSON.stringify(entry.details) };
  return csvRow(auditCsvHeader.map((column) => cells[column]));
}

/** Yields CSV of the entries. The first part has the header and rows, so that a failure to read them is an error response. */
async function* auditCsvText(entries: AsyncIterable<readonly AuditEntry[]>): AsyncGenerator<string, void> {
  let header = csvRow(auditCsvHeader);
  for await (const part of entries) {
    yield header + part.map((entry) => auditCsvRow(auditEntryToWire(entry))).join('');
    header = '';
  }
  if (header !== '') yield header;
}

const AuditCsvWire = Type.String({ description: 'A header, and a row for each entry.' });

/** Streams the audit as CSV [internal-117]. */
const getAuditCsvOperation = readOperation({
  id: 'getAuditCsv',
  method: 'GET',
  path: '/audit.csv',
  tag: 'Audit',
  summary: 'Download audit entries as CSV',
  description: `Streams the entries that match the filters, newest first: the fields of the list as columns, below a header, \`details\` as JSON.
UTF-8, RFC 4180 with \`\\n\` as line end. A value that begins with \`=\`, \`+\`, \`-\`, \`@\`, a tab or a line break gets a leading apostrophe,
so that a spreadsheet does not run it as a formula. Entries that are added during the download are left out. A connection that closes
before the end of the body means that the body is incomplete.`,
  access: 'filtered-by-brand',
  query: Type.Object(auditFilterFields),
  responses: {
    200: {
      description: 'The entries.',
      mediaType: 'text/csv',
      schema: AuditCsvWire,
      example: csvRow(auditCsvHeader) + auditCsvRow(auditEntryExample),
    },
  },
  handle: async ({ database }, { query, brandIds }) => {
    const entries = readAuditEntries(database, { ...auditFilterFromWire(query), brandIds });
    const stream = { mediaType: 'text/csv', fileName: 'audit.csv', parts: auditCsvText(entries) };
    return { status: 200, stream };
  },
});

export const auditOperations: readonly Operation[] = [listAuditEntriesOperation, getAuditCsvOperation];
