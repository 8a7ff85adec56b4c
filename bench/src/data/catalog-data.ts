import type pg from 'pg';
import type { Service } from '../service.ts';
import { type BrandShape, seedBrand } from './seed-brand.ts';

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

/** Creates a brand filled by SQL, with tables analysed as autovacuum leaves them. */
export async function makeFilledBrand(
  service: Service,
  client: pg.Client,
  name: string,
  shape: Omit<BrandShape, 'brandId'>,
): Promise<BenchBrand> {
  const brand = await makeBrand(service, name);
  await seedBrand(client, { brandId: brand.brandId, ...shape });
  await client.query('vacuum (analyze)');
  return brand;
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
