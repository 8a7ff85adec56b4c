import { type TSchema, Type } from 'typebox';
import { ApiError } from '../errors/api-error.ts';

/** The parts that the directory's lists share. */

const mebibyte = 1024 * 1024;

/** 10,000 items with names of 255 characters are larger than the general limit of a body [D15]. */
export const directoryBodyLimit = 8 * mebibyte;

const tuIdPattern = '^[A-Za-z0-9_-]{1,64}$';

/** The platform's own id of a market, point of sale, learner or content. */
export const DirectoryTuId = Type.String({
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
export function itemsOf<T extends TSchema>(item: T) {
  return Type.Object({ items: Type.Array(item, { maxItems: 10_000 }) });
}

export const UpsertedWire = Type.Object({
  upserted: Type.Integer({
    description: 'Number of items that were created or updated, including unchanged ones.',
  }),
});

/** It is unclear which of repeated items applies [D14]. @throws ApiError `validation_failed` at the index of each repetition */
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

export interface RowTimes {
  readonly created_at: Date;
  readonly updated_at: Date;
}

export function rowToWire<Row extends RowTimes>(row: Row) {
  return {
    ...row,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function invalidItems(indexes: readonly number[], field: string, message: string): ApiError {
  return new ApiError('validation_failed', {
    errors: Object.fromEntries(indexes.slice(0, 100).map((index) => [`items.${index}.${field}`, [message]])),
  });
}
