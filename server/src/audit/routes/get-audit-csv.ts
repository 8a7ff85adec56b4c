import { Type } from 'typebox';
import { csvRow } from '../../api/csv-row.ts';
import { readOperation } from '../../api/operation.ts';
import { auditCsvHeader, auditCsvRow, auditCsvText } from '../audit-csv.ts';
import { readAuditEntries } from '../audit-list-store.ts';
import { auditEntryExample, auditFilterFields, auditFilterFromWire } from '../audit-wire.ts';

const AuditCsvWire = Type.String({ description: 'A header, and a row for each entry.' });

/** Streams the audit as CSV [internal-117]. */
export const getAuditCsvOperation = readOperation({
  id: 'getAuditCsv',
  method: 'GET',
  path: '/audit.csv',
  tag: 'Audit',
  summary: 'Download audit entries as CSV',
  description: `Streams the entries that match the filters, newest first: the fields of the list as columns, below a header, \`details\` as JSON.
UTF-8, RFC 4180 with \`\\n\` as line end. A value that begins with \`=\`, \`+\`, \`-\`, \`@\`, a tab or a line break gets a leading apostrophe,
so that a spreadsheet does not run it as a formula. Entries that are added during the download are left out. A connection that closes
before the end of the body means that the body is incomplete.`,
  access: 'brands',
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
