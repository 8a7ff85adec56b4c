import type pg from 'pg';
import type { Service } from '../service.ts';
import { type BrandShape, seedBrands } from './seed-brand.ts';

/** A brand of the benchmark, with a key that has every catalog scope. */
export interface BenchBrand {
  readonly brandId: number;
  readonly apiKey: string;
  /** Request headers for a read. */
  readonly headers: Readonly<Record<string, string>>;
}

const catalogScopes = [
  'catalog.products:read',
  'catalog.products:write',
  'catalog.axes:write',
  'catalog.variants:write',
  'catalog.stock:read',
  'catalog.stock:write',
  'catalog.stock:ingest',
];

/** Creates a brand and a key over the internal surface, as an administrator does. */
export async function makeBrand(
  service: Service,
  name: string,
  scopes: readonly string[] = catalogScopes,
): Promise<BenchBrand> {
  const { id } = await service.admin('POST', '/brands', { name });
  return { brandId: id as number, ...(await makeKey(service, id as number, scopes)) };
}

export async function makeKey(service: Service, brandId: number, scopes: readonly string[]) {
  const key = await service.admin('POST', `/brands/${brandId}/keys`, { name: 'bench', scopes });
  const apiKey = key['api_key'] as string;
  return { apiKey, headers: { authorization: `Bearer ${apiKey}` } };
}

/**
 * Returns brands of these names, each with a catalog of this shape and a new key. A reused database may have them; the
 * others are created and filled by SQL, with tables analysed as autovacuum leaves them.
 */
export async function filledBrands(
  service: Service,
  client: pg.Client,
  names: readonly string[],
  shape: Omit<BrandShape, 'brandId'>,
): Promise<BenchBrand[]> {
  const { rows } = await client.query<{ name: string; id: number }>(
    `select b.name, b.id from brands b join brand_catalogs c on c.brand_id = b.id
     where b.name = any($1) and c.products_total = $2`,
    [names, shape.products],
  );
  const found = new Map(rows.map(({ name, id }) => [name, id]));
  const missing: BrandShape[] = [];
  const brands: BenchBrand[] = [];
  for (const name of names) {
    const brandId = found.get(name);
    const brand =
      brandId === undefined
        ? await makeBrand(service, name)
        : { brandId, ...(await makeKey(service, brandId, catalogScopes)) };
    brands.push(brand);
    if (brandId === undefined) missing.push({ brandId: brand.brandId, ...shape });
  }
  if (missing.length > 0) {
    await seedBrands(client, missing);
    await client.query('vacuum (analyze)');
  }
  return brands;
}

/** Returns one brand as `filledBrands` does. */
export async function filledBrand(
  service: Service,
  client: pg.Client,
  name: string,
  shape: Omit<BrandShape, 'brandId'>,
): Promise<BenchBrand> {
  const [brand] = await filledBrands(service, client, [name], shape);
  return brand as BenchBrand;
}

/** Returns `tu_id`s of products, spread evenly over the brand. */
export async function sampleProducts(
  client: pg.Client,
  { brandId }: BenchBrand,
  count: number,
  withVariants: boolean,
): Promise<string[]> {
  const { rows } = await client.query<{ tu_id: string }>(
    `select tu_id from (
       select tu_id, row_number() over (order by id) as n, count(*) over () as total
       from products where brand_id = $1 and has_variants = $2
     ) as p
     where n % greatest(total / $3, 1) = 0
     limit $3`,
    [brandId, withVariants, count],
  );
  return rows.map((row) => row.tu_id);
}
