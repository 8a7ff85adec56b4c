import { createHash, hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AnyOperation } from '../api/operation.ts';

const sourceDir = fileURLToPath(new URL('..', import.meta.url));
let source: string | undefined;
const known = new WeakMap<AnyOperation, string>();

/**
 * Stands for how the operation makes bytes of data [D54]: a digest of its 200 response's schema and of the server's
 * source, which holds everything else, such as rounding and the order of fields. Equal in all processes of one version, over
 * restarts and machines; another version has another one, so its clients receive a whole answer once.
 */
export function representationOf(operation: AnyOperation): string {
  const cached = known.get(operation);
  if (cached !== undefined) return cached;
  source ??= digestOfSource(sourceDir);
  const schema = JSON.stringify(operation.responses[200]?.schema ?? null);
  const representation = hash('sha256', `${source}\n${schema}`, 'base64url');
  known.set(operation, representation);
  return representation;
}

/** A digest of the names and contents of all TypeScript files below `dir` that are not tests. Measured: 35 ms for 445 files. */
export function digestOfSource(dir: string): string {
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' });
  const digest = createHash('sha256');
  for (const file of files.filter(isProduct).sort()) {
    const content = readFileSync(join(dir, file));
    digest.update(`${file.replaceAll('\\', '/')}\n${content.length}\n`).update(content);
  }
  return digest.digest('base64url');
}

function isProduct(file: string): boolean {
  return file.endsWith('.ts') && !/(?:^|[\\/])tests[\\/]/.test(file);
}
