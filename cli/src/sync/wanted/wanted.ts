import type { Place } from '../../input/input-rows.ts';

/** The fields of a product that rows state; what they leave out stays as it is. */
export interface WantedFields {
  readonly title?: string | undefined;
  readonly short_description?: string | null | undefined;
  readonly price_value?: number | undefined;
  readonly price_currency?: string | undefined;
  readonly tax_class?: string | undefined;
  readonly is_active?: boolean | undefined;
  readonly default_language?: string | undefined;
}

/** Texts by language tag and field. Languages and texts that are left out stay; null removes one. */
export type WantedVersions = Readonly<Record<string, Readonly<Record<string, string | null>>>>;

/** Axes with their values, in the order of the product. */
export type WantedSelection = readonly { readonly code: string; readonly values: readonly string[] }[];

export interface WantedProduct {
  readonly place: Place;
  readonly sku: string;
  readonly fields: WantedFields;
  readonly versions: WantedVersions;
  /** null: not stated. */
  readonly selection: WantedSelection | null;
  /** true: a variant for every combination of the selection. */
  readonly wantsAllVariants: boolean;
  readonly skuTemplate: string | null;
}

export interface WantedVariant {
  readonly place: Place;
  readonly productSku: string;
  readonly sku: string;
  /** Axis code to value. */
  readonly axisValues: Readonly<Record<string, string>>;
  /** null: the product's price; undefined: not stated. */
  readonly price?: number | null | undefined;
  readonly barcode?: string | null | undefined;
  readonly isActive?: boolean | undefined;
}

/** An axis, or one of its values. */
export interface WantedAxisRow {
  readonly code: string;
  /** null: the row describes the axis itself. */
  readonly value: string | null;
  readonly label?: string | null | undefined;
  readonly position?: number | undefined;
  readonly isActive?: boolean | undefined;
}

export interface WantedLocation {
  readonly code: string;
  readonly name?: string | undefined;
  readonly isActive?: boolean | undefined;
}

export interface WantedLevel {
  readonly place: Place;
  readonly sku: string;
  readonly location: string;
  readonly quantity: number;
  readonly reserved?: number | undefined;
  readonly updatedAt?: string | undefined;
}
