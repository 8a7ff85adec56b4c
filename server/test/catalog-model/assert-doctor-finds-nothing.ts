import assert from 'node:assert/strict';
import type { CheckReport } from '../../src/doctor/report.ts';
import { runDoctor } from '../../src/doctor/run-doctor.ts';
import type { DatabaseAddress } from '../../src/postgres/connection-options.ts';
import { Database } from '../../src/postgres/database.ts';

/** Runs doctor on every brand of the database, on its own connections, as the command does. */
export async function assertDoctorFindsNothing(address: DatabaseAddress): Promise<void> {
  const database = new Database({ address, applicationName: 'brandport-doctor' });
  const findings: CheckReport[] = [];
  const report = (check: CheckReport) => void findings.push(check);
  const summary = await runDoctor(database, { repair: false, report }).finally(() => database.close());
  assert.ok(summary.brands > 0);
  assert.deepEqual(findings, []);
}
