import { type Differences, differencesOf } from '../audit/audit-entry.ts';
import { tagOfValues } from '../lib/entity-tags.ts';

/** A tenant: keys, products and all other data belong to one brand. */
export interface Brand {
  readonly id: number;
  readonly name: string;
  readonly settings: BrandSettings;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface BrandSettings {
  /** ISO 4217; the currency of products that specify none. */
  readonly currency: string;
  /** BCP 47; the language of products that specify none. */
  readonly defaultLanguage: string;
  /** The highest available quantity at which a product counts as low on stock. */
  readonly lowStockThreshold: number;
  /** Hours after which stock that no feed has updated counts as stale; null = never. */
  readonly staleAfterHours: number | null;
}

/** Settings of a new brand [internal-16]. */
export const defaultSettings: BrandSettings = {
  currency: 'EUR',
  defaultLanguage: 'en',
  lowStockThreshold: 5,
  staleAfterHours: null,
};

/** A change of a brand; absent fields are left unchanged. */
export interface BrandChange {
  readonly name?: string;
  readonly settings?: Partial<BrandSettings>;
}

/** Returns the brand after a change; settings are merged [internal-17]. */
export function changedBrand(brand: Brand, change: BrandChange): Brand {
  return {
    ...brand,
    name: change.name ?? brand.name,
    settings: { ...brand.settings, ...change.settings },
  };
}

/** Returns the fields in which two states of a brand differ, under their API names. */
export function brandDifference(before: Brand, after: Brand): Differences {
  return differencesOf(before, after, {
    name: ({ name }) => name,
    'settings.currency': ({ settings }) => settings.currency,
    'settings.default_language': ({ settings }) => settings.defaultLanguage,
    'settings.low_stock_threshold': ({ settings }) => settings.lowStockThreshold,
    'settings.stale_after_hours': ({ settings }) => settings.staleAfterHours,
  });
}

/** Returns the entity tag of a brand: two changes within a millisecond have one `updated_at`, but other values. */
export function brandTag({ name, settings, updatedAt }: Brand): string {
  const { currency, defaultLanguage, lowStockThreshold, staleAfterHours } = settings;
  return tagOfValues([
    name,
    currency,
    defaultLanguage,
    lowStockThreshold,
    staleAfterHours,
    updatedAt.getTime(),
  ]);
}
