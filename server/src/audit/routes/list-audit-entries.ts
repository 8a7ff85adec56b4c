import { Type } from 'typebox';
import { readOperation } from '../../api/operation.ts';
import { exampleListOf, listOf, pageMeta, pageOf, pageQuery } from '../../api/pagination.ts';
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
    const page = pageOf(query);
    const filter = { ...auditFilterFromWire(query), brandIds };
    const { rows, total } = await listAuditEntries(database, filter, page);
    return { status: 200, body: { data: rows.map(auditEntryToWire), meta: pageMeta(page, total) } };
  },
});
