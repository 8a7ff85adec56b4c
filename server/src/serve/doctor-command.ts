import type { Config } from '../config.ts';
import { jsonReport, textReport } from '../doctor/doctor-report.ts';
import { type DoctorSummary, runDoctor } from '../doctor/run-doctor.ts';
import { Database } from '../postgres/database.ts';
import { openDatabaseAsItIs } from './doctor-database.ts';
import type { Log } from './main-database.ts';

/** As they stand on the command line. */
export interface DoctorArguments {
  readonly repair?: boolean;
  readonly json?: boolean;
}

/** A large brand takes its time, and nobody waits for an answer; only a lock that is never given up is not waited for. */
const limits = { connect: 5_000, lock: 60_000, statement: 0, answer: 0, idleTransaction: 60_000 };

/**
 * `brandport doctor`: works every derived figure of every brand out anew, and writes what differs to `write`. Reads only,
 * unless told to repair.
 * @throws StartError, EmbeddedPostgresError, MigrationError
 */
export async function runDoctorCommand(
  config: Config,
  { repair = false, json = false }: DoctorArguments,
  log: Log,
  write: (text: string) => void,
  cancelled: AbortSignal,
): Promise<DoctorSummary> {
  const main = await openDatabaseAsItIs(config, log);
  const database = new Database({
    address: main.address,
    applicationName: 'brandport-doctor',
    poolSize: 2,
    readPoolSize: 2,
    limits,
  });
  try {
    const report = json ? jsonReport(write) : textReport(write);
    const summary = await runDoctor(database, { repair, report: report.finding, cancelled });
    report.end(summary);
    return summary;
  } finally {
    await database.close();
    await main.stop();
  }
}
