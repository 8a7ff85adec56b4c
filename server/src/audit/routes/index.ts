import type { Operation } from '../../api/operation.ts';
import { getAuditCsvOperation } from './get-audit-csv.ts';
import { listAuditEntriesOperation } from './list-audit-entries.ts';

export const auditOperations: readonly Operation[] = [
  listAuditEntriesOperation, // GET /audit
  getAuditCsvOperation, //      GET /audit.csv
];
