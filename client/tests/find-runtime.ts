import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';

const others = 'node@20 node-22@npm:node@22 bun deno jest@29 vitest typescript-5.0@npm:typescript@5.0';

/**
 * Finds a program in `BRANDPORT_RUNTIMES`, where `.ci/nightly` installs them, or in the path. Without it, a run that requires
 * all programs fails; any other one says what is not tested.
 */
export function findRuntime(name: string, isRight: (versionText: string) => boolean): string | null {
  const folders = [process.env['BRANDPORT_RUNTIMES'] ?? '', ...(process.env['PATH'] ?? '').split(delimiter)];
  const found = folders
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path) && isRight(execFileSync(path, ['--version'], { encoding: 'utf8' })));
  if (found !== undefined) return found;
  const message = `${name} is not installed: npm install --prefix <dir> --no-save ${others}, and set BRANDPORT_RUNTIMES=<dir>/node_modules/.bin`;
  if (process.env['BRANDPORT_REQUIRE_PROGRAMS'] === '1') throw new Error(message);
  process.stderr.write(`\n*** NOT TESTED: ${message} ***\n\n`);
  return null;
}
