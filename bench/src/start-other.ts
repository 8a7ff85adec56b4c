import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BenchContext, OtherVersion } from './bench-context.ts';
import { connect, startPostgres } from './postgres.ts';
import { startService } from './service.ts';

export interface OtherOptions {
  /** The checkout, with its modules installed. */
  readonly project: string;
  /** A kept directory that this version filled; null: the database of this run, if its schema is the same. */
  readonly keep: string | null;
}

/**
 * Starts the server of another checkout, on the database of this run or on another one. An older version refuses a
 * database that a newer one has upgraded.
 *
 * @throws Error when it does not start, or the kept directory has no data of this scale
 */
export async function startOther(
  context: Pick<BenchContext, 'postgres' | 'client' | 'large' | 'scale' | 'dataDir'>,
  { project, keep }: OtherOptions,
): Promise<OtherVersion> {
  const { scale } = context;
  const name = nameOf(project);
  if (keep === null) {
    const dataDir = join(context.dataDir, 'server-of-other');
    const service = await startService({ postgres: context.postgres, dataDir, project });
    return { name, service, client: context.client, large: context.large, scale };
  }
  const postgres = await startPostgres(keep);
  const service = await startService({ postgres, dataDir: join(keep, 'server'), project });
  const brands = JSON.parse(await readFile(join(keep, `brands-${scale.name}.json`), 'utf8'));
  return { name, service, client: await connect(postgres.address), large: brands.large, scale };
}

/** The commit of a checkout, or its path. */
function nameOf(project: string): string {
  try {
    return execFileSync('git', ['-C', project, 'rev-parse', '--short', 'HEAD'], {
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim();
  } catch {
    return project;
  }
}
