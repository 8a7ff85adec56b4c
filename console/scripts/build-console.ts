import { glob, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';
import { withBuildLock } from './build-lock.ts';
import { findStamp, stampFile } from './source-stamp.ts';
import { consoleDir, viteOptions } from './vite-options.ts';

const dist = join(consoleDir, 'dist');

/**
 * Builds `console/dist` with compressed versions of its text files, or waits for another process that builds the same
 * sources. The previous build is served until the new one is complete, and is kept if that fails.
 * @param stamp the hash of the sources, stored with the build
 * @returns false if another process has built them
 * @throws Error if a source does not compile
 */
export function buildConsole(stamp: string): Promise<boolean> {
  return withBuildLock(join(consoleDir, 'dist-lock'), async () => {
    if ((await findStamp(dist)) === stamp) return false;
    await buildInPlace(stamp);
    return true;
  });
}

async function buildInPlace(stamp: string): Promise<void> {
  const next = join(consoleDir, `dist-next-${process.pid}`);
  try {
    await build({
      ...viteOptions,
      logLevel: 'warn',
      build: { ...viteOptions.build, outDir: next, emptyOutDir: true },
    });
    await compressFiles(next);
    await writeFile(join(next, stampFile), `${stamp}\n`);
    await rm(dist, { recursive: true, force: true });
    await rename(next, dist);
  } finally {
    await rm(next, { recursive: true, force: true });
  }
}

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** Writes `<file>.br` and `<file>.gz` next to each text file of a folder. */
export async function compressFiles(folder: string): Promise<void> {
  const names = await Array.fromAsync(glob('**/*.{html,js,css,svg}', { cwd: folder }));
  await Promise.all(names.map((name) => compressFile(join(folder, name))));
}

async function compressFile(path: string): Promise<void> {
  const content = await readFile(path);
  const [brotli, gzipped] = await Promise.all([
    toBrotli(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
    toGzip(content, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  await Promise.all([writeFile(`${path}.br`, brotli), writeFile(`${path}.gz`, gzipped)]);
}
