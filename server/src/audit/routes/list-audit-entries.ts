import { Type } from 'typebox';
import { ExactFilter } from '../../api/field-schemas.ts';
import { readOperation } from '../../api/operation.ts';
import { exampleListOf, listOf, pageMeta, pageOf, pageQuery } from '../../api/pagination.ts';
import { auditActions } from '../audit-entry.ts';
import { listAuditEntries } from '../audit-list-store.ts';
import { AuditEntryWire, auditEntryExample, auditEntryToWire } from '../audit-wire.ts';

export const listAuditEntriesOperation = readOperation({
  id: 'listAuditEntries',
  method: 'GET',
  path: '/audit',
  tag: 'Audit',
  summary: 'List audit entries',
  description:
    'Lists every change made on the internal surface, newest first: when, what, and on which resource. A request that changed nothing, such as revoking a revoked key, has no entry.',
  access: 'brands',
  query: Type.Object({
    brand_id: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2_147_483_647,
        description: 'Only changes of this brand.',
        examples: [1],
      }),
    ),
    action: ExactFilter({
      description: `Only changes with this action: ${auditActions.map((action) => `\`${action}\``).join(', ')}.`,
      examples: ['api_key.rotate'],
    }),
    ...pageQuery,
  }),
  responses: {
    200: {
      description: 'One page of entries.',
      schema: listOf(AuditEntryWire),
      example: exampleListOf(auditEntryExample),
    },
  },
  handle: async ({ database }, { query }) => {
    const page = pageOf(query);
    const filter = {
      ...(query.brand_id !== undefined && { brandId: query.brand_id }),
      ...(query.action !== undefined && { action: query.action }),
    };
    const { entries, total } = await listAuditEntries(database, filter, page);
    return { status: 200, body: { data: entries.map(auditEntryToWire), meta: pageMeta(page, total) } };
  },
});
