import type { Config } from '../config.ts';
import type { Log } from '../lib/log.ts';
import { Database } from '../postgres/database.ts';
import { runDoctorCommand } from './doctor-command.ts';
import { openDatabaseAsItIs } from './doctor-database.ts';
import { databaseMembers, settingsMember } from './support/database-members.ts';
import { secretHider } from './support/hidden-secrets.ts';
import { type Member, type WrittenBundle, writeBundle } from './support/support-bundle.ts';

/** A bundle of a database that hangs is written nevertheless. */
const limits = { connect: 5_000, lock: 5_000, statement: 20_000, answer: 22_000, idleTransaction: 30_000 };
const metricsLimitMs = 5_000;

export interface SupportContext {
  readonly config: Config;
  readonly version: string;
  readonly log: Log;
  readonly cancelled: AbortSignal;
}

/**
 * `brandport support`: writes what somebody needs who looks into a problem to a new file, without secrets; next to a server or
 * without one, and also while the database is unavailable. `withDoctor`: the report of the doctor is in it too.
 * @throws StartError if the file cannot be written
 */
export async function runSupportCommand(
  { config, version, log, cancelled }: SupportContext,
  file: string,
  withDoctor: boolean,
): Promise<WrittenBundle> {
  const opened = openDatabaseAsItIs(config, log);
  const main = opened.then(({ address }) => ({
    address,
    database: new Database({
      address,
      applicationName: 'brandport-support',
      poolSize: 1,
      readPoolSize: 2,
      limits,
    }),
  }));
  main.catch(() => {});
  const members = [
    settingsMember(config, version),
    metricsMember(config),
    ...databaseMembers({ config, version, main }),
    ...(withDoctor ? [doctorMember(config, log, cancelled, main)] : []),
  ];
  try {
    return await writeBundle(file, members, secretHider(config));
  } finally {
    await main.then(({ database }) => database.close()).catch(() => {});
    await opened.then((database) => database.stop()).catch(() => {});
  }
}

/** The metrics of the server that listens where these settings say. */
function metricsMember({ internal: { host, port } }: Config): Member {
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  const url = `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}/metrics`;
  const gather = async () => {
    const response = await fetch(url, { signal: AbortSignal.timeout(metricsLimitMs) }).catch(
      (error: Error) => {
        throw new Error(
          `no server at ${url}: ${(error.cause as Error | undefined)?.message || error.message}`,
        );
      },
    );
    if (!response.ok) throw new Error(`${url} responded with ${response.status}`);
    return response.text();
  };
  return { name: 'metrics.txt', about: `metrics of the process at ${url}, refusals among them`, gather };
}

function doctorMember(config: Config, log: Log, cancelled: AbortSignal, main: Promise<unknown>): Member {
  const gather = async () => {
    // Two starts of the embedded database at once would refuse each other.
    await main;
    let report = '';
    const write = (text: string) => {
      report += text;
    };
    await runDoctorCommand(config, {}, { log, write, cancelled });
    return report;
  };
  return { name: 'doctor.txt', about: 'the report of the doctor', gather };
}
