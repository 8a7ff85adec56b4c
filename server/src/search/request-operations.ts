import { Type } from 'typebox';
import { exampleIds } from '../api/example-ids.ts';
import { Nullable, Timestamp } from '../api/field-schemas.ts';
import { type Operation, readOperation } from '../api/operation.ts';
import { notFound } from '../errors/api-error.ts';
import { listRequestTraces } from './request-store.ts';

const requestId = exampleIds.request;

const RequestTraceWire = Type.Object(
  {
    kind: Type.String({
      enum: ['stock_movement', 'stock_feed', 'idempotency_key', 'audit_entry', 'refusal'],
    }),
    at: Timestamp(),
    brand_id: Nullable(Type.Integer()),
  },
  {
    additionalProperties: true,
    description:
      'The row that was written; its other fields depend on `kind` and name the row. A `refusal` has the fields of the list of refusals.',
  },
);

export const RequestWire = Type.Object({ request_id: Type.String(), entries: Type.Array(RequestTraceWire) });

/** Leads from a request id to all that the request has written, or to its refusal [internal-73]. */
const getRequestOperation = readOperation({
  id: 'getRequest',
  method: 'GET',
  path: '/requests/:requestId',
  tag: 'Audit',
  summary: 'Look up a request',
  description: `Returns everything that was written by requests with this \`X-Request-Id\`, oldest first, at most 200 rows of each kind: stock
movements, stock feeds, recorded responses of the last 24 hours, audit entries, and refused requests of keys as long as they are kept. A
request that only read has left nothing and returns 404, as do repeated 401s and 429s of a minute, which the first one counts.`,
  access: 'brands',
  params: Type.Object({
    requestId: Type.String({
      pattern: '^[A-Za-z0-9._-]{1,128}$',
      description: 'The `X-Request-Id` of the response.',
      examples: [requestId],
    }),
  }),
  responses: {
    200: {
      description: 'The rows that the request has written.',
      schema: RequestWire,
      example: {
        request_id: requestId,
        entries: [
          {
            kind: 'stock_movement',
            at: '2026-03-02T10:00:00.000Z',
            brand_id: 1,
            id: 90210,
            product_tu_id: exampleIds.product,
            sku: 'TEE-001-red-m',
            location: 'WH-BERLIN',
            quantity_before: 42,
            quantity_after: 40,
            key_id: 'tuk_5f0c1b2a3d4e5f60718293a4',
          },
        ],
      },
    },
  },
  handle: async ({ database }, { params, brandIds }) => {
    const all = await listRequestTraces(database, params.requestId);
    const traces = all.filter(
      ({ brandId }) => brandIds === null || (brandId !== null && brandIds.includes(brandId)),
    );
    if (traces.length === 0) throw notFound();
    const entries = traces.map(({ kind, at, brandId, fields }) => ({
      kind,
      at: at.toISOString(),
      brand_id: brandId,
      ...fields,
    }));
    return { status: 200, body: { request_id: params.requestId, entries } };
  },
});

export const requestOperations: readonly Operation[] = [getRequestOperation];
