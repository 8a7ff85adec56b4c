import { execFile } from 'node:child_process';
import { cp, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { withBuildLock } from '../../console/scripts/build-lock.ts';
import { computeStamp, findStamp, stampFile } from '../../console/scripts/source-stamp.ts';
import { writeSdkPage } from '../../server/scripts/built-pages/sdk-page.ts';
import { stagePackage } from '../../server/scripts/stage-package.ts';

const run = promisify(execFile);
const project = fileURLToPath(new URL('../..', import.meta.url));
const packed = join(project, 'client/tarballs');
const workspaces = ['client', 'cli'] as const;

/** Everything that the tarballs are made from, relative to the project. */
const sources = [
  'tsconfig.json',
  'package-lock.json',
  '{client,cli}/{README.md,package.json,tsconfig.build.json}',
  '{client,cli}/{bin,scripts,src}/**/*',
  'server/{README.md,package.json,tsconfig.build.json,openapi.json,openapi-internal.json}',
  'server/{bin,database/main,database/analytics,scripts,src}/**/*',
  'extensions/*/{package.json,src/**/*}',
  '{console/dist,server/dist/pages}/build-stamp.txt',
  'connectors/python/*.py',
];

/**
 * Packs the SDK, the command line and the server, which serves the other two, into `client/tarballs`, unless that has the
 * tarballs of the same sources [D279]. Returns whether it has packed them. @throws Error if a source does not compile
 */
export async function packTarballs(): Promise<boolean> {
  const stamp = await computeStamp(project, sources);
  return withBuildLock(join(project, 'client/tarballs-lock'), async () => {
    if ((await findStamp(packed)) === stamp) return false;
    const next = `${packed}-next-${process.pid}`;
    try {
      await mkdir(next, { recursive: true });
      for (const workspace of workspaces) {
        await run('npm', ['pack', '--pack-destination', next], { cwd: join(project, workspace) });
        await rm(join(project, workspace, 'dist'), { recursive: true });
      }
      await packServer(next);
      await writeSdkPage(next);
      await writeFile(join(next, stampFile), `${stamp}\n`);
      await rm(packed, { recursive: true, force: true });
      await rename(next, packed);
    } finally {
      await rm(next, { recursive: true, force: true });
    }
    return true;
  });
}

/** @param packs the folder of the tarballs, which has those of the other workspaces */
async function packServer(packs: string): Promise<void> {
  const staged = `${packs}-server`;
  try {
    await mkdir(staged, { recursive: true });
    await stagePackage(staged);
    const own = join(staged, 'client/tarballs');
    await cp(packs, own, { recursive: true });
    await writeSdkPage(own);
    await run('npm', ['pack', '--pack-destination', packs], { cwd: staged });
  } finally {
    await rm(staged, { recursive: true, force: true });
  }
}
