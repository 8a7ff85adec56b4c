import type { Operation } from '../../../api/operation.ts';
import { listAuditOperation } from './list-audit.ts';

/** Internal surface, Audit. */
export const auditOperations: readonly Operation[] = [
  listAuditOperation, // GET /audit
];
