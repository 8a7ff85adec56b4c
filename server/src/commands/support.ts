import type { Config } from '../config.ts';
import { systemClock } from '../lib/clock.ts';
import { Database } from '../postgres/database.ts';
import { openMainAsItIs } from '../serve/open-installation.ts';
import type { CommandContext } from './command.ts';
import { doctor } from './doctor.ts';
import { databaseMembers, settingsMember } from './support/database-members.ts';
import { secretHider } from './support/hidden-secrets.ts';
import { type Member, writeBundle } from './support/support-bundle.ts';

/** A bundle of a database that hangs is written nevertheless. */
const limits = { connect: 5_000, lock: 5_000, statement: 20_000, answer: 22_000, idleTransaction: 30_000 };
const metricsLimitMs = 5_000;

/**
 * Writes what somebody needs who looks into a problem to a new file, without secrets; also while the database is unavailable.
 * `doctor`: the report of the doctor is in it too.
 * @throws StartError if the file cannot be written
 */
export async function support(
  context: CommandContext,
  { out, doctor: withDoctor = false }: { readonly out?: string; readonly doctor?: boolean },
): Promise<number> {
  const { config, log, write } = context;
  const time = new Date(systemClock.now()).toISOString().replace(/[-:]|\.\d+/g, '');
  const file = out ?? `brandport-support-${time}.tar.gz`;
  const opened = openMainAsItIs(config, log);
  const main = opened.then(({ address }) => {
    const options = { address, applicationName: 'brandport-support', poolSize: 1, readPoolSize: 2, limits };
    return { address, database: new Database(options) };
  });
  main.catch(() => {});
  const members = [
    settingsMember(config),
    metricsMember(config),
    ...databaseMembers(config, main),
    ...(withDoctor ? [doctorMember(context, main)] : []),
  ];
  try {
    const missing = await writeBundle(file, members, secretHider(config));
    write(`${file}\n${missing.map((reason) => `  missing ${reason}\n`).join('')}`);
    return 0;
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

function doctorMember(context: CommandContext, main: Promise<unknown>): Member {
  const { config, log, cancelled } = context;
  const gather = async () => {
    // Two starts of the embedded database at once would refuse each other.
    await main;
    let report = '';
    const write = (text: string) => {
      report += text;
    };
    await doctor({ config, log, cancelled, write });
    return report;
  };
  return { name: 'doctor.txt', about: 'the report of the doctor', gather };
}
