import type pg from 'pg';

/** Lists the credentials of a brand, or of all, as a proxy's map knows them [D204]: key ids, and SHA-256 of feed tokens. */
export async function listCredentials(client: pg.Client, brandId: number | null): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select key_id as name from api_keys where $1::integer is null or brand_id = $1
     union all
     select upper(encode(token_sha256, 'hex')) from feed_tokens where $1::integer is null or brand_id = $1
     order by 1`,
    [brandId],
  );
  return rows.map(({ name }) => name);
}
