import { isDeepStrictEqual } from 'node:util';
import { shown } from '../compare.ts';

/** The texts of a product in one language. */
export interface ProductTexts {
  readonly title?: string;
  readonly short_description?: string;
}

/** A product as it is sent, made from a source record. */
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

/** A product as it is served, as far as it is looked at. */
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

/** Every field that was sent and is served with another value, as sentences. Texts count as equal code unit by code unit. */
export function fieldDifferences(sent: ProductBody, served: ServedProduct): string[] {
  return Object.entries(sent)
    .filter(([field, value]) => !isDeepStrictEqual(served[field as keyof ProductBody], value))
    .map(
      ([field, value]) =>
        `${sent.sku}: ${field} is ${shown(served[field as keyof ProductBody])}, sent was ${shown(value)}`,
    );
}
