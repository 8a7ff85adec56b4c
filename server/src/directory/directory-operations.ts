import { Type } from 'typebox';
import type { AnalyticsContext } from '../analytics/analytics-context.ts';
import type { Operation } from '../api/operation.ts';
import { listOf } from '../api/pagination.ts';
import { invalidField } from '../errors/api-error.ts';
import type { Transaction } from '../postgres/transaction.ts';
import { type DirectoryKind, defineOperations } from './directory-kind.ts';
import {
  attachPointsOfSale,
  contentRows,
  deleteMarket,
  deletePointOfSale,
  findUnknownLocations,
  marketRows,
  pointOfSaleRows,
  unlistContent,
  upsertContents,
  upsertNamedItems,
} from './directory-store.ts';
import {
  type ContentItem,
  type ContentRow,
  ContentWire,
  contentToWire,
  directoryItemParams,
  invalidItems,
  type MarketItem,
  type MarketRow,
  MarketWire,
  marketToWire,
  type PointOfSaleItem,
  type PointOfSaleRow,
  PointOfSaleWire,
  PutContentsBody,
  PutMarketsBody,
  PutPointsOfSaleBody,
  pointOfSaleToWire,
} from './directory-wire.ts';
import { learnerOperations } from './learner-operations.ts';

const times = { created_at: '2026-03-01T08:30:00.000Z', updated_at: '2026-03-01T08:30:00.000Z' };

export const markets: DirectoryKind<MarketItem, MarketRow> = {
  resource: 'market',
  one: 'market',
  many: 'markets',
  path: 'markets',
  put: {
    id: 'putMarkets',
    description:
      'Up to 10,000 items per request. Omitted items are left unchanged; a market without `name` keeps its name.',
    body: PutMarketsBody,
    bodyExample: {
      items: [
        { tu_id: 'de-north', name: 'Germany, north' },
        { tu_id: 'de-south', name: 'Germany, south' },
      ],
    },
  },
  list: {
    id: 'listMarkets',
    ...marketRows,
    toWire: marketToWire,
    page: listOf(MarketWire, 'MarketPage'),
    example: { tu_id: 'de-north', name: 'Germany, north', ...times },
  },
  remove: {
    id: 'deleteMarket',
    description: 'Its learners then have no market. Aggregates of the market are no longer returned.',
    params: directoryItemParams('de-south'),
    key: ['tu_id'],
  },
  keyOf: ({ tu_id }) => tu_id,
  upsert: (tx, brandId, items) => upsertNamedItems(tx, 'markets', brandId, items),
  delete: (tx, brandId, [tuId = '']) => deleteMarket(tx, brandId, tuId),
  movesDaysAfter: ['delete'],
};

export const pointsOfSale: DirectoryKind<PointOfSaleItem, PointOfSaleRow> = {
  resource: 'point_of_sale',
  one: 'point of sale',
  many: 'points of sale',
  path: 'pos',
  put: {
    id: 'putPointsOfSale',
    description:
      'Up to 10,000 items per request. Omitted items and omitted fields are left unchanged. `location` assigns a point of sale to a stock location, which shows it as `pointofsale_tu_id`; a location has at most one, the last one assigned.',
    body: PutPointsOfSaleBody,
    bodyExample: {
      items: [
        { tu_id: 'shop-12', name: 'Shop 12', location: 'WH-BERLIN' },
        { tu_id: 'shop-13', name: 'Shop 13' },
      ],
    },
  },
  list: {
    id: 'listPointsOfSale',
    ...pointOfSaleRows,
    toWire: pointOfSaleToWire,
    page: listOf(PointOfSaleWire, 'PointOfSalePage'),
    example: { tu_id: 'shop-12', name: 'Shop 12', location: 'WH-BERLIN', ...times },
  },
  remove: {
    id: 'deletePointOfSale',
    description: 'Its location then has no point of sale.',
    params: directoryItemParams('shop-13'),
    key: ['tu_id'],
  },
  keyOf: ({ tu_id }) => tu_id,
  async upsert(tx, brandId, items) {
    await requireKnownLocations(tx, brandId, items);
    await upsertNamedItems(tx, 'points_of_sale', brandId, items);
    const attachments = items.flatMap(({ tu_id, location }) =>
      location === undefined ? [] : [{ tuId: tu_id, location }],
    );
    if (attachments.length > 0) await attachPointsOfSale(tx, brandId, attachments);
  },
  delete: (tx, brandId, [tuId = '']) => deletePointOfSale(tx, brandId, tuId),
  movesDaysAfter: [],
};

/** @throws ApiError `validation_failed` for a location that is unknown or named twice */
async function requireKnownLocations(
  tx: Transaction,
  brandId: number,
  items: readonly PointOfSaleItem[],
): Promise<void> {
  const firstIndexes = new Map<string, number>();
  items.forEach(({ location }, index) => {
    if (location === undefined || location === null) return;
    if (firstIndexes.has(location))
      throw invalidField(`items.${index}.location`, 'is assigned to two points of sale');
    firstIndexes.set(location, index);
  });
  if (firstIndexes.size === 0) return;
  const unknown = await findUnknownLocations(tx, brandId, [...firstIndexes.keys()]);
  if (unknown.size === 0) return;
  const indexes = [...firstIndexes].flatMap(([code, index]) => (unknown.has(code) ? [index] : []));
  throw invalidItems(indexes, 'location', 'is not a location of the brand');
}

/** Rows that refer to a deleted content stay, as orphaned references. */
export const contents: DirectoryKind<ContentItem, ContentRow> = {
  resource: 'content',
  one: 'content',
  many: 'contents',
  path: 'contents',
  put: {
    id: 'putContents',
    description:
      'Up to 10,000 items per request. Omitted items and omitted fields are left unchanged. A content that events referred to before it existed takes over their records.',
    body: PutContentsBody,
    bodyExample: {
      items: [
        { type: 'episode', tu_id: 'ep-12', name: 'Fibres and fabrics' },
        { type: 'episode', tu_id: 'ep-13', name: 'Dyes', is_live: false },
      ],
    },
  },
  list: {
    id: 'listContents',
    ...contentRows,
    toWire: contentToWire,
    page: listOf(ContentWire, 'ContentPage'),
    example: { type: 'episode', tu_id: 'ep-12', name: 'Fibres and fabrics', is_live: true, ...times },
  },
  remove: {
    id: 'deleteContent',
    description: 'Its analytics rows are kept, with `content` null.',
    params: Type.Object({
      ...directoryItemParams('ep-13').properties,
      type: Type.String({ pattern: '^[a-z_]{1,32}$', examples: ['episode'] }),
    }),
    key: ['type', 'tu_id'],
  },
  keyOf: ({ type, tu_id }) => `${type}/${tu_id}`,
  upsert: upsertContents,
  delete: (tx, brandId, [type = '', tuId = '']) => unlistContent(tx, brandId, type, tuId),
  movesDaysAfter: ['put', 'delete'],
};

export const directoryOperations: readonly Operation<AnalyticsContext>[] = [
  ...defineOperations(markets),
  ...defineOperations(pointsOfSale),
  ...learnerOperations,
  ...defineOperations(contents),
];
