import { isDeepStrictEqual } from 'node:util';
import { languageKey } from '../../lib/language-tag.ts';
import type { AxisSelection } from '../axis-selection/axis-selection.ts';
import type { AvailabilitySettings, StockSum } from '../stock/availability.ts';
import type { VariantView } from '../variants/variant.ts';

/** A translation of a product's texts; what is absent falls back to the product's own. */
export interface ProductTranslation {
  readonly title?: string;
  readonly short_description?: string;
}

/** Language tag -> translation. */
export type ProductTranslations = Readonly<Record<string, ProductTranslation>>;

/** What a client may set on a product. */
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

export interface Product extends ProductFields {
  readonly brandId: number;
  readonly id: number;
  readonly tuId: string;
  readonly hasVariants: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What the active variants of a product cost, as far as it does not follow from the product's own price. */
export interface VariantPrices {
  readonly activeVariants: number;
  /** Active variants without a price of their own. */
  readonly inheritingVariants: number;
  /** Over the active variants that have one. */
  readonly ownPriceMin: number | null;
  readonly ownPriceMax: number | null;
}

/** A product with what it shows of its variants and stock. */
export interface ProductView {
  readonly product: Product;
  readonly prices: VariantPrices;
  /** Over all levels of the product and its live variants. */
  readonly totalQuantity: number;
  readonly totalReserved: number;
  /** Of its active variants where it has variants, else its own. */
  readonly stock: StockSum;
  readonly availabilitySettings: AvailabilitySettings;
}

/** A product view with its selected axes and its live variants, both in order. */
export interface ProductDetailView extends ProductView {
  readonly axes: AxisSelection;
  readonly variants: readonly VariantView[];
}

/** What is shown of a product that was created a moment ago: it has no axes, no variants and no stock. */
export function newProductDetail(product: Product): ProductDetailView {
  return {
    product,
    prices: { activeVariants: 0, inheritingVariants: 0, ownPriceMin: null, ownPriceMax: null },
    totalQuantity: 0,
    totalReserved: 0,
    stock: { levels: 0, countedLevels: 0, available: 0, freshAt: null },
    // Without a level there is no status, whatever the brand's settings.
    availabilitySettings: { lowStockThreshold: 0, staleAfterHours: null },
    axes: [],
    variants: [],
  };
}

/**
 * The range of effective prices over the active live variants, in the product's currency; null when there are none.
 * An effective price is the variant's own, else the product's [catalog-6].
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

/** What a creation has to say; the rest has defaults. */
export type NewProduct = Pick<ProductFields, 'sku'> & Partial<ProductFields>;

/** The brand's part in the defaults. */
export interface ProductDefaults {
  readonly currency: string;
  readonly defaultLanguage: string;
}

/** Fills in what a creation left out [catalog-11] [catalog-12]. */
export function withDefaults(given: NewProduct, defaults: ProductDefaults): ProductFields {
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

/** Ignores the case of language tags [catalog-12]. */
function titleIn(translations: ProductTranslations, language: string): string | undefined {
  const key = languageKey(language);
  return Object.entries(translations).find(([tag]) => languageKey(tag) === key)?.[1].title;
}

/** The tags of a translation map that differ from an earlier one in case only [catalog-14]. */
export function repeatedLanguages(translations: ProductTranslations): string[] {
  const seen = new Set<string>();
  return Object.keys(translations).filter((tag) => {
    const key = languageKey(tag);
    if (seen.has(key)) return true;
    seen.add(key);
    return false;
  });
}

/** Whether applying `changes` to the product would leave it as it is. */
export function changesNothing(product: Product, changes: Partial<ProductFields>): boolean {
  return Object.entries(changes).every(([field, value]) => {
    const present = product[field as keyof ProductFields];
    return field === 'translations' ? isDeepStrictEqual(present, value) : present === value;
  });
}
