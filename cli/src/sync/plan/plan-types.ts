import type {
  AxisCreate,
  AxisUpdate,
  AxisValueCreate,
  AxisValueUpdate,
  FeedLine,
  ProductAxesReplace,
  ProductCreate,
  ProductUpdate,
  StockLocationCreate,
  StockLocationUpdate,
  VariantCreate,
  VariantGenerate,
  VariantUpdate,
} from '@brandport/client';
import type { Place } from '../../input/input-rows.ts';
import type { Problems } from '../../input/row-reader.ts';
import { duration, number, quantity } from '../../output/quantity.ts';

/** One write of the library of axes and locations. */
export type LibraryStep =
  | { readonly do: 'create_axis'; readonly body: AxisCreate }
  | { readonly do: 'update_axis'; readonly code: string; readonly body: AxisUpdate }
  | { readonly do: 'create_value'; readonly code: string; readonly body: AxisValueCreate }
  | {
      readonly do: 'update_value';
      readonly code: string;
      readonly value: string;
      readonly body: AxisValueUpdate;
    }
  | { readonly do: 'create_location'; readonly body: StockLocationCreate }
  | { readonly do: 'update_location'; readonly code: string; readonly body: StockLocationUpdate };

/** One write of a product or of one of its variants. `place`: the row of the variant, if it is another than the product's. */
export type ProductStep = { readonly place?: Place | string } & (
  | { readonly do: 'create'; readonly body: ProductCreate }
  | { readonly do: 'update'; readonly body: ProductUpdate }
  | { readonly do: 'select'; readonly body: ProductAxesReplace }
  | { readonly do: 'generate'; readonly body: VariantGenerate; readonly creates: number }
  | { readonly do: 'create_variant'; readonly body: VariantCreate }
  | {
      readonly do: 'update_variant';
      /** Identifies the variant: generated ones have no id before. */
      readonly axis_values: Readonly<Record<string, string>>;
      readonly body: VariantUpdate;
    }
);

/** The writes of one product, in their order. */
export interface ProductGroup {
  readonly sku: string;
  /** The row that wants them; an archive has none. */
  readonly place: Place | string;
  /** The state that was read: the product is refused if it has changed since. null: it is created. */
  readonly seen: { readonly tuId: string; readonly updatedAt: string } | null;
  readonly steps: readonly ProductStep[];
}

export interface FieldChange {
  /** The SKU of the variant that has the field; without it, the product has it. */
  readonly variant?: string;
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** The fields that a plan changes in a stored product. */
export interface ProductChange {
  readonly sku: string;
  readonly fields: readonly FieldChange[];
}

/** A line of the stock feed, with the quantity that is stored. */
export interface StockStep {
  readonly place: Place;
  /** null: there is no level yet. */
  readonly from: number | null;
  readonly line: FeedLine;
}

/** The requests that a key may send in a minute; infinite without a limit. */
export interface RequestLimits {
  readonly writes: number;
  readonly reads: number;
}

/** Something that is written as the input has it, and is probably not meant. */
export interface Warning {
  /** The row of the file, or the SKU. */
  readonly at: string;
  readonly message: string;
}

/** The writes of a sync, and what it has seen. */
export interface SyncPlan {
  readonly keyId: string;
  readonly limits: RequestLimits;
  readonly library: readonly LibraryStep[];
  readonly products: readonly ProductGroup[];
  readonly stock: readonly StockStep[];
  readonly archives: readonly ProductGroup[];
  /** The changed fields of stored products: of all, or of the first 20; `changed` counts all. */
  readonly changes: readonly ProductChange[];
  readonly changed: number;
  readonly counts: PlanCounts;
  readonly problems: Problems;
  /** Doubtful rows that are written nevertheless. */
  readonly warnings: readonly Warning[];
}

export type PlanCounts = ReturnType<typeof noCounts>;

export function noCounts() {
  return {
    /** Products to create. */
    create: 0,
    /** Products with fields or a selection to change, and variants with fields to change. */
    patch: 0,
    /** Products whose variants are generated, and those variants. */
    generate: 0,
    generatedVariants: 0,
    /** Variants to create one by one. */
    createVariants: 0,
    /** Axes, axis values and locations to create or change. */
    axisLibrary: 0,
    /** Products and variants of the input that are stored as the input wants them. */
    same: 0,
    feeds: 0,
    feedLines: 0,
    /** Stock levels that are stored as the input wants them. */
    sameLevels: 0,
    /** Stock rows that are older than the stored level: a feed would not apply them. */
    staleLevels: 0,
    /** Active products of the brand that are not in the input. */
    missing: 0,
    /** Those that are archived. */
    archive: 0,
    /** Products of the brand, and the active ones among them. */
    stored: 0,
    active: 0,
    problems: 0,
    /** Requests that carry out the plan. */
    writes: 0,
    reads: 0,
  };
}

/** Returns the plan in one line: `+ create 120  ~ patch 31  = 9,849 same  ! 3 problems`. */
export function describePlan(counts: PlanCounts): string {
  const { create, patch, generate, generatedVariants, createVariants, axisLibrary, same, feeds, feedLines } =
    counts;
  const parts: [count: number, text: string][] = [
    [axisLibrary, `# library ${number.format(axisLibrary)}`],
    [create, `+ create ${number.format(create)}`],
    [createVariants, `+ ${quantity(createVariants, 'variant')}`],
    [patch, `~ patch ${number.format(patch)}`],
    [generate, `* generate ${quantity(generate, 'product')} (${quantity(generatedVariants, 'variant')})`],
    [1, `= ${number.format(same + counts.sameLevels)} same`],
    [feeds, `↑ ${quantity(feeds, 'feed')} of ${quantity(feedLines, 'line')}`],
    [counts.archive, `- archive ${number.format(counts.archive)}`],
    [counts.problems, `! ${quantity(counts.problems, 'problem')}`],
  ];
  return parts
    .filter(([count]) => count > 0)
    .map(([, text]) => text)
    .join('  ');
}

/** The writes of one sync that a service without limits takes in a second: 94 were measured. */
const writesPerSecond = 100;

/** Returns the time that the writes of a plan take: `about 3 min: writes 60/min`. */
export function describeDuration(counts: PlanCounts, limits: RequestLimits): string {
  if (counts.writes === 0) return 'nothing to do';
  const seconds = secondsFor(counts, limits);
  const limit = Number.isFinite(limits.writes) ? `writes ${number.format(limits.writes)}/min` : 'no limits';
  const isFull = seconds >= 60 && seconds > secondsAtLimits(counts, limits);
  return `${duration(seconds)}: ${limit}${isFull ? `, at ${writesPerSecond} writes a second` : ''}`;
}

/** Returns the seconds that requests take: at the limits, and at the speed of the service. */
export function secondsFor(counts: Pick<PlanCounts, 'writes' | 'reads'>, limits: RequestLimits): number {
  return Math.max(secondsAtLimits(counts, limits), counts.writes / writesPerSecond);
}

/** Returns the seconds that the limits add. A window of a limit is a minute, and opens with its whole number of requests. */
export function secondsAtLimits(
  { writes, reads }: Pick<PlanCounts, 'writes' | 'reads'>,
  limits: RequestLimits,
): number {
  const windows = (count: number, limit: number) => (count === 0 ? 0 : Math.floor((count - 1) / limit));
  return 60 * Math.max(windows(writes, limits.writes), windows(reads, limits.reads));
}
