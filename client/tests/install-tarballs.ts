import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packTarballs } from '../scripts/pack-tarballs.ts';
import { version } from '../src/version.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));

type Packed = 'client' | 'cli' | 'server';

/** Returns the path of a tarball, which it packs if necessary. */
export async function tarballOf(workspace: Packed): Promise<string> {
  await packTarballs();
  return join(project, 'client/tarballs', `brandport-${workspace}-${version}.tgz`);
}

/**
 * Installs the tarballs of the SDK and the command line, and of the server if asked, in an empty folder, with all that they
 * declare, as npm would, but without the registry [D272].
 */
export async function installTarballs(
  folder: string,
  workspaces: readonly Packed[] = ['client', 'cli'],
): Promise<void> {
  const modules = join(folder, 'node_modules');
  for (const workspace of workspaces) {
    const target = join(modules, '@brandport', workspace);
    mkdirSync(target, { recursive: true });
    execFileSync('tar', ['-xzf', await tarballOf(workspace), '-C', target, '--strip-components=1']);
  }
  const copied = new Set<string>();
  for (const workspace of workspaces)
    for (const home of homes[workspace])
      copyPackages(
        join(project, home),
        dependenciesOf(join(modules, '@brandport', workspace)),
        modules,
        copied,
      );
  mkdirSync(join(modules, '.bin'));
  symlinkSync('../@brandport/cli/bin/brandport.js', join(modules, '.bin/brandport'));
}

/** The workspaces of the project that declare what a package needs. */
const homes = { client: ['client'], cli: ['cli'], server: ['server', 'extensions/clickhouse'] } as const;

function copyPackages(from: string, names: readonly string[], modules: string, copied: Set<string>): void {
  for (const name of names) {
    if (name.startsWith('@brandport/') || copied.has(name)) continue;
    copied.add(name);
    const places = createRequire(join(from, 'package.json')).resolve.paths(name) ?? [];
    const found = places.map((place) => join(place, name)).find((place) => existsSync(place));
    // Of optional packages, npm has installed those of this machine.
    if (found === undefined) continue;
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    // Links within a package lead to their copies.
    cpSync(found, join(modules, name), { recursive: true, verbatimSymlinks: true });
    copyPackages(found, dependenciesOf(found), modules, copied);
  }
}

function dependenciesOf(folder: string): string[] {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
}
