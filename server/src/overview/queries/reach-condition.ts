import type { BrandReach } from '../../api/access.ts';
import { Conditions } from '../../postgres/conditions.ts';

/**
 * Returns conditions that begin with `always` and are narrowed to the brands of a caller. All brands and some brands are two
 * statements, so that PostgreSQL plans each.
 */
export function withinReach(
  always: readonly string[],
  values: readonly unknown[],
  column: string,
  brandIds: BrandReach,
): Conditions {
  const where = new Conditions(always, values);
  where.add('_of_brands', (parameter) => `${column} = any(${parameter}::integer[])`, brandIds ?? undefined);
  return where;
}
