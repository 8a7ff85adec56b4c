import { existsSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import process from 'node:process';

/**
 * Finds a program of the system that tests need. Without it, a run that sets `BRANDPORT_REQUIRE_PROGRAMS=1` fails; any other
 * one says on standard error what is not tested and how to install it.
 * @returns null if it is not installed; the caller skips its tests
 * @throws Error in a run that requires all programs
 */
export function findSystemProgram(name: string, debianPackage: string): string | null {
  const folders = `${process.env['PATH'] ?? ''}${delimiter}/usr/sbin${delimiter}/sbin`.split(delimiter);
  const found = folders
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
  if (found !== undefined) return found;
  const message = `${name} is not installed (Debian: apt-get install ${debianPackage})`;
  if (process.env['BRANDPORT_REQUIRE_PROGRAMS'] === '1') throw new Error(message);
  const file = basename(process.argv[1] ?? 'this file');
  process.stderr.write(`\n*** NOT TESTED: ${message}, its tests of ${file} are SKIPPED ***\n\n`);
  return null;
}
