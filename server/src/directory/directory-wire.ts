import { type Static, type TSchema, Type } from 'typebox';
import { exampleIds, NamedObject, Nullable, Text, Timestamp } from '../api/field-schemas.ts';
import { ApiError } from '../errors/api-error.ts';

const mebibyte = 1024 * 1024;

/** 10,000 items with names of 255 characters are larger than the general limit of a body [D56]. */
export const directoryBodyLimit = 8 * mebibyte;

const tuIdPattern = '^[A-Za-z0-9_-]{1,64}$';

/** The platform's own id of a market, point of sale, learner or content. */
const DirectoryTuId = Type.String({
  pattern: tuIdPattern,
  description: '1 to 64 characters of `[A-Za-z0-9_-]`.',
  examples: ['de-north'],
});

/** The path parameters of an item in a brand's directory; `example` is its `tu_id` in the demonstration brand. */
export function directoryItemParams(example: string) {
  return Type.Object({
    id: Type.String({ description: 'Id of the brand, an integer.', examples: ['1'] }),
    tu_id: Type.String({ ...DirectoryTuId, examples: [example] }),
  });
}

/** `{ items: [...] }` with at most 10,000 items. */
function itemsOf<T extends TSchema>(name: string, item: T) {
  return NamedObject(name, { items: Type.Array(item, { maxItems: 10_000 }) });
}

export const PutMarketsBody = itemsOf(
  'MarketsPut',
  Type.Object({ tu_id: DirectoryTuId, name: Type.Optional(Text({ max: 255 })) }),
);

export type MarketItem = Static<typeof PutMarketsBody>['items'][number];

export const MarketWire = NamedObject('Market', {
  tu_id: Type.String(),
  name: Nullable(Type.String()),
  created_at: Timestamp(),
  updated_at: Timestamp(),
});

export const PutPointsOfSaleBody = itemsOf(
  'PointsOfSalePut',
  Type.Object({
    tu_id: DirectoryTuId,
    name: Type.Optional(Text({ max: 255 })),
    location: Type.Optional(
      Nullable(Text({ max: 64 }), {
        description: '`external_code` of the stock location to assign; null removes the assignment.',
      }),
    ),
  }),
);

export type PointOfSaleItem = Static<typeof PutPointsOfSaleBody>['items'][number];

export const PointOfSaleWire = NamedObject('PointOfSale', {
  tu_id: Type.String(),
  name: Nullable(Type.String()),
  location: Nullable(Type.String({ description: '`external_code` of the assigned stock location.' })),
  created_at: Timestamp(),
  updated_at: Timestamp(),
});

/** The content types that the directory lists; events may have further types. */
const contentTypes = ['episode', 'program', 'quest'] as const;

export const PutContentsBody = itemsOf(
  'ContentsPut',
  Type.Object({
    type: Type.Unsafe<(typeof contentTypes)[number]>({ type: 'string', enum: [...contentTypes] }),
    tu_id: DirectoryTuId,
    name: Type.Optional(Text({ max: 255 })),
    is_live: Type.Optional(Type.Boolean({ description: 'Default for a new content: `true`.' })),
  }),
);

export type ContentItem = Static<typeof PutContentsBody>['items'][number];

export const ContentWire = NamedObject('Content', {
  type: Type.String(),
  tu_id: Type.String(),
  name: Nullable(Type.String()),
  is_live: Type.Boolean(),
  created_at: Timestamp(),
  updated_at: Timestamp(),
});

// Other keys are rejected, so that no personal attribute is accepted unnoticed.
export const PutLearnersBody = itemsOf(
  'UsersPut',
  Type.Object(
    {
      tu_id: DirectoryTuId,
      market: Type.Optional(
        Nullable(Type.String(), {
          description: '`tu_id` of a market of the brand. null clears it; absent leaves it unchanged.',
        }),
      ),
      analytics_opt_out: Type.Optional(
        Type.Boolean({
          description: '`true`: excluded from all analytics from now on. Default for a new learner: `false`.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
);

export type LearnerItem = Static<typeof PutLearnersBody>['items'][number];

export const LearnerWire = NamedObject('User', {
  tu_id: Type.String(),
  market: Nullable(Type.String()),
  analytics_opt_out: Type.Boolean(),
  created_at: Timestamp(),
  updated_at: Timestamp(),
});

export const learnerExample: Static<typeof LearnerWire> = {
  tu_id: 'u-4711',
  market: 'de-north',
  analytics_opt_out: false,
  created_at: '2026-03-01T08:30:00.000Z',
  updated_at: '2026-03-01T08:30:00.000Z',
};

const Day = () => Type.String({ format: 'date' });

export const LearnerDetailWire = NamedObject('UserDetail', {
  ...LearnerWire.properties,
  first_day: Nullable(Day(), {
    description: 'The first day with events or datasets of the learner, UTC; null without any.',
  }),
  last_day: Nullable(Day(), { description: 'The last of these days.' }),
  stale_aggregate_days: Type.Array(Day(), {
    description:
      'Days whose aggregates include the learner although the learner has opted out, ascending. Empty for others.',
  }),
});

export const ErasureReceiptWire = NamedObject('ErasureReceipt', {
  tu_id: Type.String(),
  erased_at: Timestamp(),
  request_id: Type.String(),
  by: Type.String({ description: 'The name of who erased the learner; of the admin token `admin-token`.' }),
  events: Type.Integer({ minimum: 0, description: 'The raw learning events that were removed.' }),
  rows: Type.Integer({ minimum: 0, description: 'The rows of user-level datasets that were removed.' }),
  days_to_aggregate: Type.Array(Day(), {
    description: 'The days whose aggregates still include the learner: aggregate them again.',
  }),
});

export const erasureReceiptExample: Static<typeof ErasureReceiptWire> = {
  tu_id: 'u-4712',
  erased_at: '2026-03-02T10:00:00.000Z',
  request_id: exampleIds.request,
  by: 'Ada Lovelace',
  events: 412,
  rows: 96,
  days_to_aggregate: ['2026-01-12', '2026-02-27'],
};

export const learnerDetailExample: Static<typeof LearnerDetailWire> = {
  ...learnerExample,
  analytics_opt_out: true,
  first_day: '2026-01-12',
  last_day: '2026-02-27',
  stale_aggregate_days: ['2026-01-12', '2026-02-27'],
};

export const UpsertedWire = NamedObject('Upserted', {
  upserted: Type.Integer({
    description: 'Number of items that were created or updated, including unchanged ones.',
  }),
});

/** It is unclear which of repeated items applies [D22]. @throws ApiError `validation_failed` at the index of each repetition */
export function requireDistinct<T>(items: readonly T[], keyOf: (item: T) => string): void {
  const seen = new Set<string>();
  const errors: Record<string, string[]> = {};
  items.forEach((item, index) => {
    const key = keyOf(item);
    if (seen.has(key) && Object.keys(errors).length < 100)
      errors[`items.${index}.tu_id`] = ['is a duplicate'];
    seen.add(key);
  });
  if (Object.keys(errors).length > 0) throw new ApiError('validation_failed', { errors });
}

interface RowTimes {
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface MarketRow extends RowTimes {
  readonly tuId: string;
  readonly name: string | null;
}

export interface PointOfSaleRow extends MarketRow {
  /** The code of its stock location. */
  readonly location: string | null;
}

export interface ContentRow extends MarketRow {
  readonly type: string;
  readonly isLive: boolean;
}

export interface LearnerRow extends RowTimes {
  readonly tuId: string;
  readonly market: string | null;
  readonly isOptedOut: boolean;
}

export function marketToWire({ tuId, name, ...times }: MarketRow): Static<typeof MarketWire> {
  return { tu_id: tuId, name, ...timesToWire(times) };
}

export function pointOfSaleToWire(row: PointOfSaleRow): Static<typeof PointOfSaleWire> {
  const { tuId, name, location, ...times } = row;
  return { tu_id: tuId, name, location, ...timesToWire(times) };
}

export function contentToWire({
  type,
  tuId,
  name,
  isLive,
  ...times
}: ContentRow): Static<typeof ContentWire> {
  return { type, tu_id: tuId, name, is_live: isLive, ...timesToWire(times) };
}

export function learnerToWire(row: LearnerRow): Static<typeof LearnerWire> {
  const { tuId, market, isOptedOut, ...times } = row;
  return { tu_id: tuId, market, analytics_opt_out: isOptedOut, ...timesToWire(times) };
}

function timesToWire({ createdAt, updatedAt }: RowTimes) {
  return { created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() };
}

export function invalidItems(indexes: readonly number[], field: string, message: string): ApiError {
  return new ApiError('validation_failed', {
    errors: Object.fromEntries(indexes.slice(0, 100).map((index) => [`items.${index}.${field}`, [message]])),
  });
}
