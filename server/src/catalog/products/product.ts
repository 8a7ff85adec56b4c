import { isDeepStrictEqual } from 'node:util';

/** A translation of a product's texts; what is absent falls back to the product's own. */
export interface ProductVersion {
  readonly title?: string;
  readonly short_description?: string;
}

/** Language tag -> translation. */
export type ProductVersions = Readonly<Record<string, ProductVersion>>;

/** What a client may set on a product. */
export interface ProductFields {
  readonly sku: string;
  readonly type: 'simple';
  readonly title: string;
  readonly shortDescription: string | null;
  readonly defaultLanguage: string;
  readonly versions: ProductVersions;
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

/** What a creation has to say; the rest has defaults. */
export type NewProduct = Pick<ProductFields, 'sku'> & Partial<ProductFields>;

/** The brand's part in the defaults. */
export interface ProductDefaults {
  readonly currency: string;
  readonly defaultLanguage: string;
}

/** Fills in what a creation left out (decision Catalog 2). */
export function withDefaults(given: NewProduct, defaults: ProductDefaults): ProductFields {
  const defaultLanguage = given.defaultLanguage ?? defaults.defaultLanguage;
  const versions = given.versions ?? {};
  return {
    sku: given.sku,
    type: given.type ?? 'simple',
    title: given.title ?? titleIn(versions, defaultLanguage) ?? given.sku,
    shortDescription: given.shortDescription ?? null,
    defaultLanguage,
    versions,
    priceValue: given.priceValue ?? 0,
    priceCurrency: given.priceCurrency ?? defaults.currency,
    taxClass: given.taxClass ?? 'standard',
    isActive: given.isActive ?? false,
  };
}

function titleIn(versions: ProductVersions, language: string): string | undefined {
  return Object.hasOwn(versions, language) ? versions[language]?.title : undefined;
}

/** Whether applying `changes` to the product would leave it as it is. */
export function changesNothing(product: Product, changes: Partial<ProductFields>): boolean {
  return Object.entries(changes).every(([field, value]) => {
    const present = product[field as keyof ProductFields];
    return field === 'versions' ? isDeepStrictEqual(present, value) : present === value;
  });
}
