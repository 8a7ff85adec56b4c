import { join } from 'node:path';
import { buildConsole } from '../../scripts/build-console.ts';
import { computeStamp, findStamp } from '../../scripts/source-stamp.ts';
import { consoleDir } from '../../scripts/vite-options.ts';

/** The folder of the build. */
export const distDir = join(consoleDir, 'dist');

/**
 * Builds the console unless the build is of the current sources, so that no test looks at an old one. Of several files that
 * start at once, one builds and the others wait.
 */
export async function ensureBuilt(): Promise<void> {
  const stamp = await computeStamp(join(consoleDir, '..'));
  if ((await findStamp(distDir)) !== stamp) await buildConsole(stamp);
}
