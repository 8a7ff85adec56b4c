import { type Static, type TOptional, type TSchema, type TUnsafe, Type } from 'typebox';
import { invalidField } from '../errors/api-error.ts';
import { firstInstantOf, lastInstantOf } from '../lib/instant.ts';
import { takeTurn } from '../lib/loop-turns.ts';
import { mapInStretches } from '../lib/map-in-stretches.ts';
import { OwnedCache } from '../lib/owned-cache.ts';

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

const catalogSizes: PageSizes = { default: 50, max: 200 };

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

export const PageMetaWire = Type.Object({
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

export function listOf<T extends TSchema>(item: T) {
  return Type.Object({ data: Type.Array(item), meta: PageMetaWire });
}

/** The example of a list in the reference: one page with one item. */
export function exampleListOf<T>(item: T): { data: [T]; meta: Static<typeof PageMetaWire> } {
  return { data: [item], meta: { current_page: 1, per_page: 50, total: 1, last_page: 1 } };
}

interface PageAnchor {
  /** The version of the list's order: while it is unchanged, the page still begins there. */
  readonly version: string;
  /** The sort key of the last row before the page. */
  readonly after: readonly unknown[];
}

/** Number of remembered page starts, some 300 bytes each. One walk needs one at a time. */
const remembered = 5_000;

/**
 * Remembers the last row of each served page, so that the next page is a keyset lookup instead of an OFFSET scan. Only a hint:
 * the statement that reads the page verifies that the order of the list has not changed [D39].
 */
export class PageAnchors {
  readonly #anchors = new OwnedCache<number, PageAnchor>(remembered);

  /** `list` names filters and order; `offset` is the number of rows before the page. */
  find(brandId: number, list: string, offset: number): PageAnchor | undefined {
    return this.#anchors.get(brandId, `${offset}/${list}`);
  }

  remember(
    brandId: number,
    list: string,
    at: { readonly offset: number; readonly anchor: PageAnchor },
  ): void {
    this.#anchors.set(brandId, `${at.offset}/${list}`, at.anchor);
  }
}

/** The expression of the SQL by which a list sorts, for each name that `sort` takes. */
type SortColumns<Name extends string> = Readonly<Record<Name, string>>;

/** A name, or a name after `-`: descending. */
export type Sort<Name extends string> = Name | `-${Name}`;

/** The parameter `sort` of a list [internal-197]. */
export function sortQuery<Name extends string>(
  columns: SortColumns<Name>,
  byDefault: string,
): { sort: TOptional<TUnsafe<Sort<Name>>> } {
  const names = Object.keys(columns) as Name[];
  const values = names.flatMap((name): Sort<Name>[] => [name, `-${name}`]);
  const description = `The order of the rows; \`-\` means descending. Rows without the value come last. Default: ${byDefault}.`;
  return {
    sort: Type.Optional(Type.Unsafe({ type: 'string', enum: values, description, examples: [values[0]] })),
  };
}

/** Returns the `order by` of a list and the part of its statement's name. `unique`: what orders equal rows. */
export function orderOf<Name extends string>(
  columns: SortColumns<Name>,
  sort: Sort<Name> | undefined,
  unique: string,
): { readonly code: string; readonly orderBy: string } {
  if (sort === undefined) return { code: '', orderBy: unique };
  const isDescending = sort.startsWith('-');
  const name = (isDescending ? sort.slice(1) : sort) as Name;
  const direction = isDescending ? 'desc' : 'asc';
  return {
    code: `_by_${name}_${direction}`,
    orderBy: `${columns[name]} ${direction} nulls last, ${unique}`,
  };
}

/** A range of time; both ends are inclusive, and each may be open. */
export interface TimeRange {
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

/** @throws ApiError `validation_failed` on `from` if the range ends before it begins */
export function timeRangeFromWire(query: { readonly from?: string; readonly to?: string }): TimeRange {
  const from = query.from === undefined ? undefined : firstInstantOf(query.from);
  const to = query.to === undefined ? undefined : lastInstantOf(query.to);
  if (from !== undefined && to !== undefined && from > to)
    throw invalidField('from', 'must not be after `to`');
  return { from, to };
}
