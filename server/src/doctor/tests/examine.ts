import assert from 'node:assert/strict';
import type { TestDatabase } from '../../../test/support/test-database.ts';
import { Database } from '../../postgres/database.ts';
import type { CheckReport, ReportedDifference } from '../report.ts';
import { type DoctorSummary, runDoctor } from '../run-doctor.ts';

export interface Finding extends ReportedDifference {
  readonly check: string;
  readonly brandId: number;
}

export const findingsOf = ({ check, brand_id: brandId, differences }: CheckReport): Finding[] =>
  differences.map((difference) => ({ check, brandId, ...difference }));

/**
 * Runs the doctor over all brands. Uses separate connections, as the command does, so that plans made while the tables
 * were small are not reused.
 */
export async function summarize(
  { address }: Pick<TestDatabase, 'address'>,
  repair: boolean,
): Promise<DoctorSummary & { readonly findings: Finding[] }> {
  const findings: Finding[] = [];
  const database = new Database({ address, applicationName: 'brandport-doctor' });
  const report = (check: CheckReport) => void findings.push(...findingsOf(check));
  const summary = await runDoctor(database, { repair, report }).finally(() => database.close());
  return { ...summary, findings };
}

/** Runs the doctor over all brands, which have few differences. */
export async function examine(apps: Pick<TestDatabase, 'address'>, repair: boolean): Promise<Finding[]> {
  const { found, repaired, left, findings } = await summarize(apps, repair);
  assert.equal(found, findings.length);
  assert.equal(repaired, findings.filter(({ outcome }) => outcome === 'repaired').length);
  assert.equal(left, found - repaired);
  return findings;
}

/** A finding in the form `check id field: stored > actual`. */
export const told = ({ check, id, field, stored, actual }: Finding) =>
  `${check} ${id} ${field}: ${stored} > ${actual}`;
