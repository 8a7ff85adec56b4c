import { InputError } from '../../errors/cli-error.ts';
import { Problems } from '../../input/problems.ts';
import { defaultMaxArchive } from '../plan/archive-plan.ts';
import { readSituation } from '../plan/situation.ts';
import type { ApplyOptions, ApplyResult } from './apply-options.ts';
import { GroupRunner } from './group-runner.ts';
import { Journal } from './journal.ts';
import { PlanFile } from './plan-file.ts';

/** The service keeps keys for 24 hours; the rest is for a slow run. */
const keysKeptMs = 22 * 3_600_000;

/**
 * Carries out a plan, and continues a plan whose process was killed. Writes that are in the journal are not sent again. A
 * connection that stays away ends the run with its error: run it again.
 * @throws InputError for a plan that cannot be applied, before anything is written; BrandportError
 */
export async function applyPlan(options: ApplyOptions): Promise<ApplyResult> {
  const { brandport, signal } = options;
  const plan = await PlanFile.open(options.plan);
  const situation = await readSituation(brandport, { signal });
  checkPlan(plan, situation.brandId, options);
  const journal = Journal.open(options.journal ?? `${options.plan}.journal`, plan.digest);
  const refused = new Problems();
  const failed = new Problems();
  try {
    const age = Date.parse(situation.now) - Date.parse(plan.header.planned_at);
    const runner = new GroupRunner({
      plan,
      journal,
      refused,
      failed,
      options,
      keysAreKept: age < keysKeptMs,
    });
    const { written, skipped, archivesLeftOut, feed } = await runner.run();
    const isComplete = refused.count + failed.count === 0;
    return {
      written,
      skipped,
      archivesLeftOut,
      feed,
      refused: refused.kept,
      failed: failed.kept,
      isComplete,
    };
  } finally {
    journal.close();
  }
}

function checkPlan({ header, end, path }: PlanFile, brandId: number, options: ApplyOptions): void {
  if (header.brand_id !== brandId)
    throw new InputError(
      `${path} is a plan for the brand ${header.brand_id}; the key belongs to the brand ${brandId}.`,
    );
  const { problems, archive, active } = end.counts;
  if (problems > 0 && options.skipProblems !== true)
    throw new InputError(
      `${path} has ${problems} problems. Correct the input and plan again, or skip the problems.`,
    );
  const share = archive / Math.max(active, 1);
  if (options.archiveMissing === true && share > (options.maxArchive ?? defaultMaxArchive))
    throw new InputError(`${path} archives ${archive} of ${active} active products: more than allowed.`);
}
