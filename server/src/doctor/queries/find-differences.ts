import type { Database } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import type { DifferenceRow, MainInvariant } from '../invariants/invariant.ts';
import type { Batch } from '../invariants/scan.ts';

/** Returns what one of the queries of an invariant finds in a batch of a brand. */
export async function findDifferences(
  database: Database,
  { id, finds }: MainInvariant,
  place: number,
  { brandId, after, upTo }: Batch,
): Promise<DifferenceRow[]> {
  const find = finds[place];
  if (find === undefined) return [];
  const values = find.scan.table === 'brands' ? [brandId] : [brandId, after, upTo];
  return database.run(statement<DifferenceRow>(`find_${id}/${place}`, find.sql, values, { long: true }));
}
