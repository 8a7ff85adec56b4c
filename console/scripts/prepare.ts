import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { computeStamp, findStamp } from './source-stamp.ts';

/**
 * Builds the console after `npm ci` and `npm install`, unless `console/dist` was built from the same sources and lock file.
 * Exits 0 without a build if the tools are not installed, as after `npm ci --omit=dev`, and 1 if the build fails [D169].
 */

const project = fileURLToPath(new URL('../..', import.meta.url));

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

async function findBuilder(): Promise<typeof import('./build-console.ts') | null> {
  try {
    return await import('./build-console.ts');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return null;
    throw error;
  }
}

async function prepare(): Promise<void> {
  const stamp = await computeStamp(project);
  if ((await findStamp(join(project, 'console/dist'))) === stamp) return;
  const builder = await findBuilder();
  if (builder === null) {
    say('The console is not built, because its tools are not installed. To build it: npm ci --include=dev');
    return;
  }
  const begin = performance.now();
  if (await builder.buildConsole(stamp))
    say(`Built console/dist in ${((performance.now() - begin) / 1000).toFixed(1)} s.`);
}

try {
  await prepare();
} catch (error) {
  say(`The console could not be built: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
