import { createApiKey } from '../access/api-keys/api-key-service.ts';
import { type Caller, scopes } from '../api/scopes.ts';
import { createBrand } from '../brands/brand-service.ts';
import { hasBrands } from '../brands/queries/has-brands.ts';
import type { NewProduct } from '../catalog/products/product.ts';
import { createProduct } from '../catalog/products/product-service.ts';
import { systemClock } from '../lib/clock.ts';
import type { Database } from '../postgres/database.ts';

export interface DemoBrand {
  readonly brandName: string;
  /** The plaintext key, with every scope; this is the only time that it is known. */
  readonly apiKey: string;
}

const brandName = 'Demo Outfitters';

const products: readonly NewProduct[] = [
  {
    sku: 'TEE-001',
    title: 'Organic tee',
    shortDescription: 'Heavy cotton, regular fit.',
    priceValue: 24.9,
    isActive: true,
    versions: { de: { title: 'Bio-T-Shirt', short_description: 'Schwere Baumwolle, gerader Schnitt.' } },
  },
  { sku: 'HOODIE-001', title: 'Zip hoodie', priceValue: 59, isActive: true },
  { sku: 'CAP-001', title: 'Five-panel cap', priceValue: 19.5, isActive: true },
  { sku: 'SOCKS-001', title: 'Merino socks', priceValue: 12.95, isActive: true },
  { sku: 'TOTE-001', title: 'Canvas tote', priceValue: 14, isActive: false },
];

/**
 * Makes a demonstration brand in a database that has no brand yet, all of it in one transaction, so that a start that
 * is cut short leaves nothing half there. null when there are brands.
 */
export async function makeDemoBrand(database: Database): Promise<DemoBrand | null> {
  return database.transaction(async (tx) => {
    if (await hasBrands(tx)) return null;
    const brand = await createBrand(tx, { name: brandName });
    const { key, plaintext } = await createApiKey(tx, systemClock, {
      brandId: brand.id,
      name: 'Demo key',
      scopes,
      expiresAt: null,
      replacesKeyId: null,
    });
    const caller: Caller = {
      brandId: brand.id,
      keyId: key.keyId,
      lineageId: key.lineageId,
      keyName: key.name,
      scopes: new Set(scopes),
      expiresAt: null,
    };
    for (const product of products) await createProduct(tx, caller, product);
    return { brandName, apiKey: plaintext };
  });
}
