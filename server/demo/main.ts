import { existsSync } from 'node:fs';
import process from 'node:process';
import type { Target } from './client/demo-brand.ts';
import { type CommandLine, parseCommandLine } from './command-line.ts';
import { defaultDataDir, excerptDir, missingFiles, requireFiles } from './data-files.ts';
import type { DataSet } from './data-sets/data-set.ts';
import { dataSets } from './data-sets/index.ts';
import { describeOrigins } from './data-sets/origins.ts';
import { DemoError } from './demo-error.ts';
import { type DemoServer, startDemoServer } from './demo-server.ts';
import { examine } from './doctor.ts';
import { summaryOf } from './report.ts';
import { runDemo } from './run-demo.ts';

// `npm run demo:real`. The only file of the folder that reads the environment, the arguments and the signals.

try {
  process.exitCode = await main(parseCommandLine(process.argv.slice(2), process.env));
} catch (error) {
  process.stderr.write(`${error instanceof DemoError ? error.message : (error as Error).stack}\n`);
  process.exitCode = error instanceof DemoError ? error.exitCode : 1;
}

/** @returns the exit code: 0, or 1 if there is a difference or the doctor finds one */
async function main(commandLine: CommandLine): Promise<number> {
  const { only, part, running } = commandLine;
  if (commandLine.sources) {
    process.stdout.write(describeOrigins(dataSets.map(({ name }) => name)));
    return 0;
  }
  const dataDir = commandLine.dataDir ?? (existsSync(defaultDataDir) ? defaultDataDir : excerptDir);
  const isExcerpt = dataDir === excerptDir;
  // Under the rate limits, even the excerpts take several minutes.
  const fast = commandLine.fast || isExcerpt;
  const isFound = (dataSet: DataSet) => !isExcerpt || missingFiles(dataDir, [dataSet]).length === 0;
  const chosen = dataSets.filter((dataSet) => only?.includes(dataSet.name) ?? isFound(dataSet));
  requireFiles(dataDir, chosen);
  if (isExcerpt)
    process.stdout.write(
      'No folder of data sets: using the excerpts in server/demo/excerpt. --sources says where the whole sets are.\n',
    );
  const ending = new AbortController();
  // The signal may arrive twice: from the terminal, and again from npm, which forwards it.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => ending.abort(new DemoError(`Ended by ${signal}.`)));

  let server: DemoServer | null = null;
  try {
    let target: Target;
    if (running === null) {
      process.stdout.write(`Starting a server${fast ? ', without rate limits' : ''} …\n`);
      server = await startDemoServer({ env: process.env, fast });
      server.endedByItself.then((error) => ending.abort(error));
      target = server;
    } else {
      target = { ...running, adminToken: requireAdminToken() };
    }
    const results = await runDemo({
      target,
      dataDir,
      dataSets: chosen,
      part,
      output: process.stdout,
      signal: ending.signal,
    });
    process.stdout.write(`\n${summaryOf(results)}\n`);
    const isAsSent = results.every(({ differences }) => differences.length === 0);
    if (server === null) return isAsSent ? 0 : 1;
    const { isSound, text } = await examine(server, ending.signal);
    process.stdout.write(`The doctor: ${text}`);
    return isAsSent && isSound ? 0 : 1;
  } finally {
    await server?.stop();
  }
}

function requireAdminToken(): string {
  const token = process.env['BRANDPORT_ADMIN_TOKEN'];
  if (token === undefined || token === '')
    throw new DemoError('Set BRANDPORT_ADMIN_TOKEN to the admin token of the server behind --internal.', 2);
  return token;
}
