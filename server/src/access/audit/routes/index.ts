import type { Operation } from '../../../api/operation.ts';
import { listAuditOperation } from './list-audit.ts';

export const auditOperations: readonly Operation[] = [
  listAuditOperation, // GET /audit
];
