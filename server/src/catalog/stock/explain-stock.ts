import { type Static, Type } from 'typebox';
import {
  exampleIds,
  Instant,
  NamedObject,
  Nullable,
  SourceTimestamp,
  Text,
  Timestamp,
} from '../../api/field-schemas.ts';
import { readOperation } from '../../api/operation.ts';
import { getBrand } from '../../brands/brand-operations.ts';
import { BrandParams, brandIdFromPath } from '../../brands/brand-wire.ts';
import { parseInstant } from '../../lib/instant.ts';
import { shownSourceTime } from '../../lib/source-time.ts';
import {
  explainStock,
  type FeedLineOrigin,
  type RefusedLine,
  type StockEntry,
  type StockExplanation,
} from './stock-explanation-store.ts';
import { StockLevelWire, stockExample, stockLevelToWire } from './stock-wire.ts';

const explanationLimits = { default: 50, max: 200 };

const ExplainStockQuery = Type.Object({
  sku: Text({ max: 191, description: 'SKU of a product or variant.', examples: ['TEE-001-red-m'] }),
  location: Text({ max: 191, description: 'The location’s `external_code`.', examples: ['WH-BERLIN'] }),
  at: Type.Optional(
    Instant({
      description: 'Explains the quantity at this instant. Default: now.',
      examples: ['2026-03-02T12:00:00Z'],
    }),
  ),
  before: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Only movements before the one with this id, to read on.',
      examples: [90210],
    }),
  ),
  refused_before: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,15}-[0-9]{1,9}$',
      description: 'The `refused_next` of the same page, to read its other refused lines.',
      examples: ['4711-17'],
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      default: explanationLimits.default,
      examples: [explanationLimits.default],
      description: `Movements, and refused lines, per page. Values above ${explanationLimits.max} are reduced to ${explanationLimits.max}.`,
    }),
  ),
});

const key_id = Nullable(Type.String(), { description: 'The API key, or `feed-token:<id>`.' });
const request_id = Nullable(Type.String(), { description: 'The `X-Request-Id` of the request.' });

const FeedLineWire = Type.Object({
  feed_id: Type.String(),
  source_batch_id: Type.String({ description: 'The Idempotency-Key of the feed.' }),
  line: Nullable(Type.Integer(), { description: 'The place of the line in the request, from 0.' }),
  updated_at: Nullable(
    SourceTimestamp({ description: 'The line’s `updated_at`; null once its line was dropped.' }),
  ),
});

const EntryWire = Type.Object({
  id: Type.Integer({ description: 'The id of the movement.' }),
  kind: Type.String({ enum: ['adjustment', 'feed_line'] }),
  at: Timestamp(),
  quantity_before: Type.Integer(),
  quantity_after: Type.Integer(),
  reason: Type.String(),
  note: Type.String(),
  key_id,
  request_id,
  feed: Nullable(FeedLineWire, { description: 'null for an adjustment.' }),
});

const RefusedWire = Type.Object({
  at: Timestamp(),
  result: Type.String({ enum: ['stale', 'superseded'] }),
  quantity: Nullable(Type.Integer(), { description: 'null once the line was dropped.' }),
  key_id,
  request_id,
  feed: FeedLineWire,
});

export const StockExplanationWire = NamedObject('StockExplanation', {
  level: Nullable(StockLevelWire, { description: 'The current level; null if there is none.' }),
  quantity_at: Type.Integer({ description: 'The quantity at `at`.' }),
  first_at: Nullable(Timestamp(), {
    description: 'When the level was first changed; null if it never was.',
  }),
  next_at: Nullable(Timestamp(), {
    description: 'When the level was first changed after `at`; null if it was not.',
  }),
  entries: Type.Array(EntryWire, { description: 'The movements of the level, newest first.' }),
  refused: Type.Array(RefusedWire, {
    description: 'Lines of feeds that were not applied because a newer quantity was known, in the same time.',
  }),
  refused_next: Nullable(Type.String(), {
    description:
      'Send it as `refused_before`, with the same `at` and `before`, for more of `refused`; null: there are no more.',
  }),
});

const exampleKey = 'tuk_5f0c1b2a3d4e5f60718293a4';
const exampleFeed = {
  feed_id: exampleIds.feed,
  source_batch_id: 'erp-stock-2026-03-02T0800',
  line: 17,
  updated_at: '2026-03-02T07:55:00.000Z',
};

/** Leads from a quantity to its causes [internal-70]. */
export const explainStockOperation = readOperation({
  id: 'explainStock',
  method: 'GET',
  path: '/brands/:id/stock/explain',
  tag: 'Catalog',
  summary: 'Explain a stock quantity',
  description: `Returns the level of a SKU at a location, and the movements that led to its quantity, newest first: each with the adjustment or the
line of a feed, the request and the key. \`refused\` lists lines that were not applied because a newer quantity was known.`,
  access: 'one-brand',
  params: BrandParams,
  query: ExplainStockQuery,
  responses: {
    200: {
      description: 'The level and its causes.',
      schema: StockExplanationWire,
      example: {
        level: stockExample.level,
        quantity_at: 40,
        first_at: '2026-03-01T09:00:00.000Z',
        next_at: null,
        entries: [
          {
            id: 90210,
            kind: 'adjustment',
            at: '2026-03-02T10:00:00.000Z',
            quantity_before: 42,
            quantity_after: 40,
            reason: 'manual',
            note: `client-api:${exampleKey}`,
            key_id: exampleKey,
            request_id: '7f4df7c4-6d5e-4d0a-9d3c-0c5f6c1f6a55',
            feed: null,
          },
        ],
        refused: [
          {
            at: '2026-03-02T10:05:00.000Z',
            result: 'stale',
            quantity: 42,
            key_id: exampleKey,
            request_id: '0d4e6d0b-98f2-4c85-9a35-3d2b0f8f0c11',
            feed: exampleFeed,
          },
        ],
        refused_next: null,
      },
    },
  },
  handle: async ({ database }, { params, query }) => {
    const { id: brandId } = await getBrand(database, brandIdFromPath(params.id));
    const explanation = await explainStock(database, {
      brandId,
      sku: query.sku,
      location: query.location,
      at: query.at === undefined ? null : parseInstant(query.at),
      before: query.before ?? null,
      refusedBefore:
        query.refused_before === undefined ? null : refusedPositionFromWire(query.refused_before),
      limit: Math.min(query.limit ?? explanationLimits.default, explanationLimits.max),
    });
    return { status: 200, body: explanationToWire(explanation) };
  },
});

/** Parses `refused_before`, which the schema has checked. */
function refusedPositionFromWire(text: string): { feed: number; line: number } {
  const [feed = 0, line = 0] = text.split('-').map(Number);
  return { feed, line };
}

function explanationToWire(explanation: StockExplanation): Static<typeof StockExplanationWire> {
  const { level, quantityAt, firstAt, nextAt, entries, refused, refusedNext } = explanation;
  return {
    level: level === null ? null : stockLevelToWire(level),
    quantity_at: quantityAt,
    first_at: firstAt?.toISOString() ?? null,
    next_at: nextAt?.toISOString() ?? null,
    entries: entries.map(entryToWire),
    refused: refused.map(refusedToWire),
    refused_next: refusedNext === null ? null : `${refusedNext.feed}-${refusedNext.line}`,
  };
}

function entryToWire(entry: StockEntry): Static<typeof EntryWire> {
  return {
    id: entry.movementId,
    kind: entry.reason === 'feed' ? 'feed_line' : 'adjustment',
    at: entry.at.toISOString(),
    quantity_before: entry.quantityBefore,
    quantity_after: entry.quantityAfter,
    reason: entry.reason,
    note: entry.note,
    key_id: entry.keyId,
    request_id: entry.requestId,
    feed: entry.feed === null ? null : feedLineToWire(entry.feed),
  };
}

function refusedToWire(line: RefusedLine): Static<typeof RefusedWire> {
  return {
    at: line.at.toISOString(),
    result: line.result,
    quantity: line.quantity,
    key_id: line.keyId,
    request_id: line.requestId,
    feed: feedLineToWire(line.feed),
  };
}

function feedLineToWire({ feedId, batchId, line, updatedAt }: FeedLineOrigin): Static<typeof FeedLineWire> {
  const updated_at = updatedAt === null ? null : shownSourceTime(updatedAt);
  return { feed_id: feedId, source_batch_id: batchId, line, updated_at };
}
