import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';
import { compressFiles } from './compress-files.ts';
import { stampFile } from './source-stamp.ts';
import { consoleDir, viteOptions } from './vite-options.ts';

/**
 * Builds `console/dist`, with a Brotli and a gzip version of each text file. The previous build is served until the new one is
 * complete, and is kept if the new one fails.
 *
 * @param stamp the hash of the sources, stored with the build
 * @throws Error if a source does not compile
 */
export async function buildConsole(stamp: string): Promise<void> {
  const next = join(consoleDir, 'dist-next');
  const dist = join(consoleDir, 'dist');
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
