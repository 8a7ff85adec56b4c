import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { StartError } from '../../../server/src/serve/lifetime.ts';

export interface SandboxBrand {
  readonly brandId: number;
  readonly apiKey: string;
  /** The distance of its clock to the system's; absent: none. */
  readonly aheadMs?: number;
}

export interface SandboxDir {
  readonly path: string;
  readonly isKept: boolean;
  /** null: the directory is new. */
  readonly brand: SandboxBrand | null;
  keep(brand: SandboxBrand): Promise<void>;
  close(): Promise<void>;
}

const brandFile = 'sandbox.json';

/** Creates a temporary directory, or opens the one to keep: empty, or that of a sandbox. @throws StartError */
export async function openSandboxDir(kept: string | null): Promise<SandboxDir> {
  if (kept === null) {
    const path = await mkdtemp(join(tmpdir(), 'brandport-sandbox-'));
    const close = () => rm(path, { recursive: true, force: true, maxRetries: 5 });
    return { path, isKept: false, brand: null, keep: async () => {}, close };
  }
  const path = resolve(kept);
  const file = join(path, brandFile);
  const brand = await readBrand(path, file).catch((error: Error) => {
    if (error instanceof StartError) throw error;
    throw new StartError(`${path} cannot be used for a sandbox: ${error.message}`);
  });
  const keep = (created: SandboxBrand) => writeFile(file, `${JSON.stringify(created)}\n`, { mode: 0o600 });
  return { path, isKept: true, brand, keep, close: async () => {} };
}

async function readBrand(path: string, file: string): Promise<SandboxBrand | null> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const names = await readdir(path);
  if (names.length === 0) return null;
  if (!names.includes(brandFile))
    throw new StartError(
      `${path} is neither empty nor the directory of a sandbox. Name an empty directory, or one that does not exist.`,
    );
  return JSON.parse(await readFile(file, 'utf8'));
}
