import { basename, dirname, join } from 'node:path/posix';
import type { SourceFile } from './source-file.ts';

/** Files of this size or more are a separate subject, also with one user. */
const ownSubjectLines = 100;
/** The layers of a feature import each other; that is what they are for. */
const layer = /-(store|wire|operations)\.ts$/;
/** Not counted as users: tests import what they test. */
const isForTests = (path: string) => /(^|\/)tests?\//.test(path);

/**
 * Finds files of the server below 100 lines that are there for one neighbour: all that they export is imported by one file of
 * the same folder and by nothing else. What they hold belongs into that neighbour.
 */
export function filesForOneNeighbour(files: readonly SourceFile[]): string[] {
  const users = usersOf(files.filter(({ path }) => !isForTests(path)));
  return files
    .filter(({ path }) => path.startsWith('server/src/') && !isForTests(path) && !layer.test(path))
    .filter(({ text }) => text.split('\n').length <= ownSubjectLines)
    .flatMap(({ path }) => {
      const [user, ...others] = users.get(path) ?? [];
      const isNeighbour = user !== undefined && others.length === 0 && dirname(user) === dirname(path);
      return isNeighbour ? [`${path} is there for ${basename(user)} alone`] : [];
    });
}

/** The files that import each file. One that is loaded later, started or copied by its path stands on its own. */
function usersOf(files: readonly SourceFile[]): Map<string, Set<string>> {
  const users = new Map<string, Set<string>>();
  for (const { path, text } of files)
    for (const [, from, name] of text.matchAll(/(from )?'([\w./-]+\.ts)'/g)) {
      const named = name?.startsWith('.') === true ? join(dirname(path), name) : `server/src/${name}`;
      users.set(named, (users.get(named) ?? new Set()).add(from === undefined ? 'by its path' : path));
    }
  return users;
}
