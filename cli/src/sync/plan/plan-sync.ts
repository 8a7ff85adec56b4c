import { WantedCatalog } from '../wanted/wanted-catalog.ts';
import { noCounts } from './plan-counts.ts';
import type { PlanOptions, PlanResult } from './plan-options.ts';
import { describeDuration, describePlan } from './plan-summary.ts';
import { Planner } from './planner.ts';
import { ProductChanges } from './product-change.ts';
import { readSituation } from './situation.ts';

/**
 * Compares files with the stored catalog, and writes a plan of the differences. Sends reads only. Memory holds about 200
 * bytes for each product, variant and stock row of the input; stored products are compared while they are read.
 * @throws InputError, BrandportError
 */
export async function planSync(options: PlanOptions): Promise<PlanResult> {
  const { location, ignore = [], out = null } = options;
  const wanted = await WantedCatalog.read(options.files, { location, ignore: new Set(ignore) });
  try {
    const situation = await readSituation(options.brandport, options);
    const counts = noCounts();
    const changes = new ProductChanges();
    await new Planner({ wanted, situation, counts, changes, options }).write(out);
    return {
      counts,
      limits: situation.limits,
      problems: wanted.problems.kept,
      changes: changes.kept,
      changed: changes.count,
      isEmpty: counts.writes === 0,
      summary: describePlan(counts),
      duration: describeDuration(counts, situation.limits),
      out,
    };
  } finally {
    wanted.close();
  }
}
