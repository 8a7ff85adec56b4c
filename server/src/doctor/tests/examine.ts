import assert from 'node:assert/strict';
import type { TestDatabase } from '../../../test/support/test-database.ts';
import { Database } from '../../postgres/database.ts';
import type { Finding } from '../difference.ts';
import { runDoctor } from '../run-doctor.ts';

/**
 * Runs the doctor over all brands. Uses separate connections, as the command does, so that plans made while the tables
 * were small are not reused.
 */
export async function examine(
  { address }: Pick<TestDatabase, 'address'>,
  repair: boolean,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const database = new Database({ address, applicationName: 'brandport-doctor' });
  const report = (finding: Finding) => findings.push(finding);
  const summary = await runDoctor(database, { repair, report }).finally(() => database.close());
  assert.equal(summary.found, findings.length);
  assert.equal(summary.repaired, findings.filter(({ isRepaired }) => isRepaired).length);
  assert.equal(summary.left, summary.found - summary.repaired);
  return findings;
}

/** A finding in the form `check id field: stored > actual`. */
export const told = ({ check, id, field, stored, actual }: Finding) =>
  `${check} ${id} ${field}: ${stored} > ${actual}`;
