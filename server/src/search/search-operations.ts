import { type Static, Type } from 'typebox';
import { exampleIds } from '../api/example-ids.ts';
import { Nullable } from '../api/field-schemas.ts';
import { type Operation, readOperation } from '../api/operation.ts';
import { findAnything, findingKinds } from './search-store.ts';

const mostFindings = 20;

const FindingWire = Type.Object({
  kind: Type.String({ enum: [...findingKinds] }),
  id: Type.String({ description: 'The id of what was found, as the operations of its kind take it.' }),
  title: Type.String({
    description:
      'A name to show: of a feed its batch id, of a job its queue, of a request its method and path or the kind of what it wrote.',
  }),
  brand_id: Nullable(Type.Integer(), { description: 'null: of no brand.' }),
  brand_name: Nullable(Type.String()),
});

export const FindingListWire = Type.Object({ data: Type.Array(FindingWire) });

const example: Static<typeof FindingListWire> = {
  data: [
    {
      kind: 'feed',
      id: exampleIds.feed,
      title: 'stock-2026-03-01',
      brand_id: 1,
      brand_name: 'Maison Aurore',
    },
  ],
};

/** [internal-202] */
const searchOperation = readOperation({
  id: 'search',
  method: 'GET',
  path: '/search',
  tag: 'Overview',
  summary: 'Find anything by its id or name',
  description: `Lists at most ${mostFindings} things that the caller may see: first what has exactly this id (request, feed by id or batch id, job, key,
product by id or SKU, learner, administrator, brand), then brands, keys and administrators whose name contains it, in upper or lower
case. Administrators are shown to administrators only.`,
  access: 'brands',
  query: Type.Object({
    q: Type.String({
      minLength: 1,
      maxLength: 255,
      format: 'storable-text',
      description: 'An id, or a part of a name.',
      examples: ['stock-2026-03-01'],
    }),
  }),
  responses: { 200: { description: 'What was found.', schema: FindingListWire, example } },
  handle: async ({ database }, { query, internalCaller: { brandIds, role } }) => {
    const reach = { brandIds, isAdministrator: role === 'administrator' };
    const found = await findAnything(database, query.q.trim(), reach);
    const data = found.slice(0, mostFindings).map(({ brandId, brandName, ...same }) => ({
      ...same,
      brand_id: brandId,
      brand_name: brandName,
    }));
    return { status: 200, body: { data } };
  },
});

export const searchOperations: readonly Operation[] = [searchOperation];
