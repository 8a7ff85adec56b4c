import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packTarballs } from '../scripts/pack-tarballs.ts';
import { version } from '../src/version.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));

/** Returns the path of a tarball, which it packs if necessary. */
export async function tarballOf(workspace: 'client' | 'cli'): Promise<string> {
  await packTarballs();
  return join(project, 'client/tarballs', `brandport-${workspace}-${version}.tgz`);
}

/**
 * Installs the tarballs of the SDK and the command line in an empty folder, with all that they declare, as npm would, but
 * without the registry [D147].
 */
export async function installTarballs(folder: string): Promise<void> {
  const modules = join(folder, 'node_modules');
  for (const workspace of ['client', 'cli'] as const) {
    const target = join(modules, '@brandport', workspace);
    mkdirSync(target, { recursive: true });
    execFileSync('tar', ['-xzf', await tarballOf(workspace), '-C', target, '--strip-components=1']);
  }
  const cli = join(modules, '@brandport/cli');
  copyPackages(join(project, 'cli'), dependenciesOf(cli), modules, new Set());
  mkdirSync(join(modules, '.bin'));
  symlinkSync('../@brandport/cli/bin/brandport.js', join(modules, '.bin/brandport'));
}

function copyPackages(from: string, names: readonly string[], modules: string, copied: Set<string>): void {
  for (const name of names) {
    if (name.startsWith('@brandport/') || copied.has(name)) continue;
    copied.add(name);
    const places = createRequire(join(from, 'package.json')).resolve.paths(name) ?? [];
    const found = places.map((place) => join(place, name)).find((place) => existsSync(place));
    // Of optional packages, npm has installed those of this machine.
    if (found === undefined) continue;
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    cpSync(found, join(modules, name), { recursive: true });
    copyPackages(found, dependenciesOf(found), modules, copied);
  }
}

function dependenciesOf(folder: string): string[] {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
}
