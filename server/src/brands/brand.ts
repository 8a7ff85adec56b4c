/** A tenant: keys, products and every figure belong to one brand. */
export interface Brand {
  readonly id: number;
  readonly name: string;
  readonly settings: BrandSettings;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface BrandSettings {
  /** ISO 4217; the currency of products that name none. */
  readonly currency: string;
  /** BCP 47; the language of products that name none. */
  readonly defaultLanguage: string;
  /** Up to this available quantity a product counts as low on stock. */
  readonly lowStockThreshold: number;
  /** Hours after which stock that no feed has refreshed counts as stale; null = never. */
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

/** The brand after a change; settings are merged [internal-17]. */
export function changedBrand(brand: Brand, change: BrandChange): Brand {
  return {
    ...brand,
    name: change.name ?? brand.name,
    settings: { ...brand.settings, ...change.settings },
  };
}

/** The fields in which two states of a brand differ, under the names that the API gives them. */
export function brandDifference(before: Brand, after: Brand): Record<string, { from: unknown; to: unknown }> {
  const fields = {
    name: (brand: Brand) => brand.name,
    'settings.currency': (brand: Brand) => brand.settings.currency,
    'settings.default_language': (brand: Brand) => brand.settings.defaultLanguage,
    'settings.low_stock_threshold': (brand: Brand) => brand.settings.lowStockThreshold,
    'settings.stale_after_hours': (brand: Brand) => brand.settings.staleAfterHours,
  };
  return Object.fromEntries(
    Object.entries(fields)
      .map(([name, read]) => [name, { from: read(before), to: read(after) }] as const)
      .filter(([, { from, to }]) => from !== to),
  );
}
