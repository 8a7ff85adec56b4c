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
import type { Problem } from '../../input/problems.ts';
import type { PlanCounts } from './plan-counts.ts';

/** One write of the library of axes and locations. Keys derive from the plan and the content. */
export type LibraryStep =
  | { readonly do: 'create_axis'; readonly key: string; readonly body: AxisCreate }
  | { readonly do: 'update_axis'; readonly code: string; readonly body: AxisUpdate }
  | {
      readonly do: 'create_value';
      readonly key: string;
      readonly code: string;
      readonly body: AxisValueCreate;
    }
  | {
      readonly do: 'update_value';
      readonly code: string;
      readonly value: string;
      readonly body: AxisValueUpdate;
    }
  | { readonly do: 'create_location'; readonly key: string; readonly body: StockLocationCreate }
  | { readonly do: 'update_location'; readonly code: string; readonly body: StockLocationUpdate };

/** One write of a product or of one of its variants. */
export type ProductStep =
  | { readonly do: 'create'; readonly key: string; readonly body: ProductCreate }
  | { readonly do: 'update'; readonly key: string; readonly body: ProductUpdate }
  | { readonly do: 'select'; readonly body: ProductAxesReplace }
  | {
      readonly do: 'generate';
      readonly key: string;
      readonly body: VariantGenerate;
      readonly creates: number;
    }
  | { readonly do: 'create_variant'; readonly key: string; readonly body: VariantCreate }
  | {
      readonly do: 'update_variant';
      /** Identifies the variant: generated ones have no id before. */
      readonly axis_values: Readonly<Record<string, string>>;
      readonly body: VariantUpdate;
    };

/** The first line. */
export interface PlanHeader {
  readonly brandport_plan: 1;
  readonly plan_id: string;
  readonly brand_id: number;
  /** The time of the server's clock, in whole seconds. */
  readonly planned_at: string;
  /** The name of the feeds' source. */
  readonly source: string;
}

export interface LibraryGroup {
  readonly kind: 'library';
  readonly steps: readonly LibraryStep[];
}

/** The writes of one product, in their order. */
export interface ProductGroup {
  /** `archive`: the product is not in the input. */
  readonly kind: 'product' | 'archive';
  readonly sku: string;
  /** null: the plan creates it. */
  readonly tu_id: string | null;
  /** The `updated_at` that the plan has seen: a later one refuses the group. */
  readonly updated_at: string | null;
  readonly steps: readonly ProductStep[];
}

/** A stock feed. As many lines of the plan follow, each a `FeedLine`. */
export interface FeedGroup {
  readonly kind: 'feed';
  readonly batch_id: string;
  readonly lines: number;
}

export type PlanGroup = LibraryGroup | ProductGroup | FeedGroup;

/** The last line: a plan without it is not complete. */
export interface PlanEnd {
  readonly kind: 'end';
  readonly counts: PlanCounts;
  /** The first 1,000 messages. */
  readonly problems: readonly Problem[];
}

export type { FeedLine };
