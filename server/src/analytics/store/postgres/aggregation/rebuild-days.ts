import type { Transaction } from '../../../../postgres/transaction.ts';
import type { Day } from '../../../day.ts';
import { type DatasetName, datasetNames, type RowCounts } from '../../aggregation-types.ts';
import type { ReplacedDays, Replacement } from '../../engine.ts';
import { datasetDefinitions } from './dataset-definitions.ts';
import { datasetStatements, preferIndexes } from './dataset-statements.ts';
import { analyzeFold, createFold, foldEvents } from './fold-store.ts';

const datasets = datasetDefinitions.map(datasetStatements);

/** See `AnalyticsEngine.replaceDays`. */
export async function replaceDays(
  tx: Transaction,
  brandId: number,
  replacement: Replacement,
): Promise<ReplacedDays> {
  await createFold(tx);
  await foldEvents(tx, brandId, replacement.range, replacement.facts.excludedLearnerIds);
  return replaceByFold(tx, brandId, replacement);
}

const noRows = Object.fromEntries(datasetNames.map((name) => [name, 0])) as Record<DatasetName, number>;

/** Replaces the rows of the days by those of the fold. */
export async function replaceByFold(
  tx: Transaction,
  brandId: number,
  replacement: Omit<Replacement, 'endsAt'>,
): Promise<ReplacedDays> {
  const { range, facts, hasLaterDays } = replacement;
  await analyzeFold(tx);
  if (!hasLaterDays) await tx.run(preferIndexes);
  const written = new Map<Day, RowCounts>();
  const corrected: Partial<Record<DatasetName, readonly Day[]>> = {};
  for (const dataset of datasets) {
    const { name } = dataset.definition;
    if (hasLaterDays) for (const create of dataset.createChange()) await tx.run(create);
    await tx.run(dataset.remove(brandId, replacement));
    for (const { day, rows } of await tx.run(dataset.write(brandId, replacement, facts)))
      written.set(day, { ...(written.get(day) ?? noRows), [name]: rows });
    if (!hasLaterDays) continue;
    await tx.run(dataset.analyzeRemoved());
    await tx.run(dataset.listChanged(brandId, range));
    await tx.run(dataset.analyzeChanged());
    corrected[name] = (await tx.run(dataset.correctLater(brandId, range))).map(({ day }) => day);
  }
  return { rows: written, corrected };
}
