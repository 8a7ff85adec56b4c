import { createHash } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** The file of a build that holds the stamp of its sources. */
export const stampFile = 'build-stamp.txt';

/** Everything that the build of the console reads, relative to the project. */
const consoleSources = [
  'console/index.html',
  'console/package.json',
  'console/{scripts,src}/**/*',
  'client/src/**/*.ts',
  'package-lock.json',
];

/** Returns a hash of the names and contents of everything that the build reads: the same for every place of the project. */
export async function computeStamp(project: string, sources = consoleSources): Promise<string> {
  const entries = await Array.fromAsync(glob(sources, { cwd: project, withFileTypes: true }));
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const hash = createHash('sha256');
  for (const path of paths.sort()) {
    const content = await readFile(path);
    hash.update(`${relative(project, path)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** Returns the stamp of a build, or null if there is none. */
export async function findStamp(dist: string): Promise<string | null> {
  return readFile(join(dist, stampFile), 'utf8').then(
    (text) => text.trim(),
    () => null,
  );
}
