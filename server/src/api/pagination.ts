import { type Static, type TSchema, Type } from 'typebox';
import { takeTurn } from '../lib/loop-turns.ts';
import { mapInStretches } from '../lib/map-in-stretches.ts';
import { NamedObject } from './field-schemas.ts';

/** `page` and `per_page` of every offset list [platform-42] [platform-43]. */
export const pageQuery = {
  page: Type.Optional(
    Type.Integer({ minimum: 1, default: 1, description: 'Page number, starting at 1.', examples: [1] }),
  ),
  per_page: Type.Optional(
    Type.Integer({
      minimum: 1,
      default: 50,
      description: 'Rows per page. Values above 200 are reduced to 200.',
      examples: [50],
    }),
  ),
};

export interface Page {
  readonly number: number;
  readonly size: number;
  /** Rows before the page. */
  readonly offset: number;
}

export interface PageSizes {
  readonly default: number;
  readonly max: number;
}

export const catalogSizes: PageSizes = { default: 50, max: 200 };

/** Deeper pages take longer than a few milliseconds, since the rows before them must be skipped. */
const deepestShortOffset = 2_000;

export function isLongPage(offset: number): boolean {
  return offset > deepestShortOffset;
}

export function pageOf(query: { page?: number; per_page?: number }, sizes: PageSizes = catalogSizes): Page {
  const number = query.page ?? 1;
  const size = Math.min(query.per_page ?? sizes.default, sizes.max);
  // No list has 2^53 rows: a page that far away is empty wherever exactly it starts.
  return { number, size, offset: Math.min((number - 1) * size, Number.MAX_SAFE_INTEGER) };
}

const usualSize = 50;

/**
 * Returns the literal limit within which a page's rows are read; the surplus is dropped. For a parameter, the planner expects a
 * tenth of the table and plans the statement on every execution, which took twice as long as running it.
 */
export function fixedLimit(size: number, sizes: PageSizes = catalogSizes): number {
  return size <= usualSize ? usualSize : sizes.max;
}

/**
 * Returns the OFFSET of a page in a form that hides its value from the planner; `parameter`: that of the number of rows. For a
 * known number, PostgreSQL plans the statement on every execution, which takes longer than running it.
 */
export function skipRows(parameter: string): string {
  return `offset (select ${parameter}::bigint)`;
}

export const PageMetaWire = NamedObject('PageMeta', {
  current_page: Type.Integer({ minimum: 1 }),
  per_page: Type.Integer({ minimum: 1 }),
  total: Type.Integer({ minimum: 0, description: 'The exact number of rows that match the filters.' }),
  last_page: Type.Integer({ minimum: 1, description: '1 for an empty list.' }),
});

export function pageMeta(page: Page, total: number): Static<typeof PageMetaWire> {
  return {
    current_page: page.number,
    per_page: page.size,
    total,
    last_page: Math.max(1, Math.ceil(total / page.size)),
  };
}

/** Replies with one page of a list, which `read` returns with the number of all rows. */
export async function pageReply<Row, Item>(
  query: { page?: number; per_page?: number },
  read: (page: Page) => Promise<{ readonly rows: readonly Row[]; readonly total: number }>,
  toWire: (row: Row) => Item,
) {
  const page = pageOf(query);
  const { rows, total } = await read(page);
  const data = await mapInStretches(rows, toWire, () => takeTurn(null));
  return { status: 200 as const, body: { data, meta: pageMeta(page, total) } };
}

/** One page of a list, which the reference knows as `name`. */
export function listOf<T extends TSchema>(item: T, name: string) {
  return NamedObject(name, { data: Type.Array(item), meta: PageMetaWire });
}

/** The example of a list in the reference: one page with one item. */
export function exampleListOf<T>(item: T): { data: [T]; meta: Static<typeof PageMetaWire> } {
  return { data: [item], meta: { current_page: 1, per_page: 50, total: 1, last_page: 1 } };
}
