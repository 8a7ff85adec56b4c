import { Type } from 'typebox';
import { readOperation } from '../../api/operation.ts';
import { exampleListOf, listOf, pageQuery, pageReply } from '../../api/pagination.ts';
import { listAuditEntries } from '../audit-list-store.ts';
import {
  AuditEntryWire,
  auditEntryExample,
  auditEntryToWire,
  auditFilterFields,
  auditFilterFromWire,
} from '../audit-wire.ts';

export const listAuditEntriesOperation = readOperation({
  id: 'listAuditEntries',
  method: 'GET',
  path: '/audit',
  tag: 'Audit',
  summary: 'List audit entries',
  description:
    'Lists every change made on the internal surface, newest first: when, what, and on which resource. A request that changed nothing, such as revoking a revoked key, has no entry.',
  access: 'brands',
  query: Type.Object({ ...auditFilterFields, ...pageQuery }),
  responses: {
    200: {
      description: 'One page of entries.',
      schema: listOf(AuditEntryWire),
      example: exampleListOf(auditEntryExample),
    },
  },
  handle: async ({ database }, { query, brandIds }) => {
    const filter = { ...auditFilterFromWire(query), brandIds };
    return pageReply(query, (page) => listAuditEntries(database, filter, page), auditEntryToWire);
  },
});
