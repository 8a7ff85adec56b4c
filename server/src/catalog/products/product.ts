import { isDeepStrictEqual } from 'node:util';
import { languageKey } from '../../lib/text.ts';
import { columnList } from '../../postgres/column-list.ts';
import type { AxisSelection } from '../axis-selection/axis-selection.ts';
import type { AvailabilitySettings, StockSum } from '../stock/stock-level.ts';
import type { VariantView } from '../variants/variant.ts';

/** The translation of a product's texts into one language. Absent fields fall back to the product's own. */
interface ProductTranslation {
  readonly title?: string;
  readonly short_description?: string;
}

export type ProductTranslations = Readonly<Record<string, ProductTranslation>>;

export interface ProductFields {
  readonly sku: string;
  readonly type: 'simple';
  readonly title: string;
  readonly shortDescription: string | null;
  readonly defaultLanguage: string;
  readonly translations: ProductTranslations;
  /** Exact to 4 decimal places. */
  readonly priceValue: number;
  readonly priceCurrency: string;
  readonly taxClass: string;
  readonly isActive: boolean;
}

/** The columns that clients set, in the order of responses: from this list statements, rows and the wire are made. */
export const productFields = columnList<ProductFields>({
  sku: { column: 'sku', sqlType: 'text' },
  type: { column: 'type', sqlType: 'text' },
  title: { column: 'title', sqlType: 'text' },
  shortDescription: { column: 'short_description', sqlType: 'text' },
  defaultLanguage: { column: 'default_language', sqlType: 'text' },
  translations: { column: 'versions', sqlType: 'jsonb' },
  priceValue: { column: 'price_value', sqlType: 'numeric' },
  priceCurrency: { column: 'price_currency', sqlType: 'text' },
  taxClass: { column: 'tax_class', sqlType: 'text' },
  isActive: { column: 'is_active', sqlType: 'boolean' },
});

export interface Product extends ProductFields {
  readonly brandId: number;
  readonly id: number;
  readonly tuId: string;
  readonly hasVariants: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The part of the active variants' prices that does not depend on the product's own price. */
interface VariantPrices {
  readonly activeVariants: number;
  readonly inheritingVariants: number;
  /** The lowest own price among the active variants; null when none has one. */
  readonly ownPriceMin: number | null;
  readonly ownPriceMax: number | null;
}

export interface ProductView {
  readonly product: Product;
  readonly prices: VariantPrices;
  /** The sum over all levels of the product and its live variants. */
  readonly totalQuantity: number;
  readonly totalReserved: number;
  /** The sum over its active variants if it has variants, else over its own levels. */
  readonly stock: StockSum;
  readonly availabilitySettings: AvailabilitySettings;
}

/** Axes and live variants are in the product's order. */
export interface ProductDetailView extends ProductView {
  readonly axes: AxisSelection;
  readonly variants: readonly VariantView[];
}

export type NewProduct = Pick<ProductFields, 'sku'> & Partial<ProductFields>;

interface ProductDefaults {
  readonly currency: string;
  readonly defaultLanguage: string;
}

/** Returns the fields of a new product; those that the creation omits get defaults [catalog-11] [catalog-12]. */
export function newProductFields(given: NewProduct, defaults: ProductDefaults): ProductFields {
  const defaultLanguage = given.defaultLanguage ?? defaults.defaultLanguage;
  const translations = given.translations ?? {};
  return {
    sku: given.sku,
    type: given.type ?? 'simple',
    title: given.title ?? titleIn(translations, defaultLanguage) ?? given.sku,
    shortDescription: given.shortDescription ?? null,
    defaultLanguage,
    translations,
    priceValue: given.priceValue ?? 0,
    priceCurrency: given.priceCurrency ?? defaults.currency,
    taxClass: given.taxClass ?? 'standard',
    isActive: given.isActive ?? false,
  };
}

/** Returns the detail of a newly created product: it has no axes, no variants and no stock. */
export function newProductDetail(product: Product): ProductDetailView {
  return {
    product,
    prices: { activeVariants: 0, inheritingVariants: 0, ownPriceMin: null, ownPriceMax: null },
    totalQuantity: 0,
    totalReserved: 0,
    stock: { levels: 0, countedLevels: 0, available: 0, freshAt: null },
    // Without a level there is no status, regardless of the brand's settings.
    availabilitySettings: { lowStockThreshold: 0, staleAfterHours: null },
    axes: [],
    variants: [],
  };
}

/** Returns the same object if the fields are its present ones, so that not even `updated_at` changes [D8]. */
export function changedProduct(
  product: Product,
  changes: Partial<ProductFields>,
  stamp: () => Date,
): Product {
  if (changesNothing(product, changes)) return product;
  return { ...product, ...changes, updatedAt: stamp() };
}

function changesNothing(product: Product, changes: Partial<ProductFields>): boolean {
  return Object.entries(changes).every(([field, value]) => {
    const present = product[field as keyof ProductFields];
    // A price of -0 is the price 0.
    return present === value || isDeepStrictEqual(present, value);
  });
}

/**
 * Returns the range of effective prices over the active variants, each its own, else the product's [catalog-6]; null without
 * any.
 */
export function priceRange({ priceValue, priceCurrency }: Product, prices: VariantPrices) {
  if (prices.activeVariants === 0) return null;
  const candidates = [
    prices.ownPriceMin,
    prices.ownPriceMax,
    prices.inheritingVariants > 0 ? priceValue : null,
  ].filter((price) => price !== null);
  return { min: Math.min(...candidates), max: Math.max(...candidates), currency: priceCurrency };
}

/** Ignores the case of language tags [catalog-12]. */
function titleIn(translations: ProductTranslations, language: string): string | undefined {
  const key = languageKey(language);
  return Object.entries(translations).find(([tag]) => languageKey(tag) === key)?.[1].title;
}

/** Returns the tags of a translation map that differ from an earlier one only in case [catalog-14]. */
export function repeatedLanguages(translations: ProductTranslations): string[] {
  const seen = new Set<string>();
  return Object.keys(translations).filter((tag) => {
    const key = languageKey(tag);
    if (seen.has(key)) return true;
    seen.add(key);
    return false;
  });
}
