import { isDeepStrictEqual } from 'node:util';
import { shown } from '../compare.ts';

/** The texts of a product in one language. */
export interface ProductTexts {
  readonly title?: string;
  readonly short_description?: string;
}

/** A product as sent, mapped from a source record. */
export interface ProductBody {
  readonly sku: string;
  readonly title: string;
  readonly short_description?: string;
  readonly is_active: boolean;
  readonly default_language?: string;
  readonly versions?: Readonly<Record<string, ProductTexts>>;
  readonly price_value?: number;
  readonly price_currency?: string;
  readonly tax_class?: string;
}

/** The compared fields of a product as served. */
export type ServedProduct = ProductBody & { readonly tu_id: string };

export interface ProductPage {
  readonly data: readonly ServedProduct[];
  readonly meta: {
    readonly current_page: number;
    readonly per_page: number;
    readonly total: number;
    readonly last_page: number;
  };
}

/**
 * Describes every field that is served with another value than was sent, in sentences. Strings are equal if all code
 * units are.
 */
export function fieldDifferences(sent: ProductBody, served: ServedProduct): string[] {
  return Object.entries(sent)
    .filter(([field, value]) => !isDeepStrictEqual(served[field as keyof ProductBody], value))
    .map(
      ([field, value]) =>
        `${sent.sku}: ${field} is ${shown(served[field as keyof ProductBody])}, sent was ${shown(value)}`,
    );
}
