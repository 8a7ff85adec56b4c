import { createHash, hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AnyOperation } from '../api/operation.ts';

/** The folders of the server's source, and of the views and routines that it reads. */
const sourceDirs = ['..', '../../database'].map((dir) => fileURLToPath(new URL(dir, import.meta.url)));
let source: string | undefined;
const known = new WeakMap<AnyOperation, string>();

/**
 * Identifies how the operation serialises data [D34]: a digest of its 200 response's schema and of the server's source, which
 * covers everything else, such as rounding. It is equal in all processes of one version; after an upgrade, clients receive each
 * full response once.
 */
export function representationOf(operation: AnyOperation): string {
  const cached = known.get(operation);
  if (cached !== undefined) return cached;
  source ??= digestOfSource(...sourceDirs);
  const schema = JSON.stringify(operation.responses[200]?.schema ?? null);
  const representation = hash('sha256', `${source}\n${schema}`, 'base64url');
  known.set(operation, representation);
  return representation;
}

/** A digest of names and contents of all modules and SQL files below `dirs` that are not tests: 35 ms for 445 files. */
export function digestOfSource(...dirs: readonly string[]): string {
  const digest = createHash('sha256');
  for (const dir of dirs)
    for (const file of readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter(isProduct).sort()) {
      const content = readFileSync(join(dir, file));
      digest.update(`${file.replaceAll('\\', '/')}\n${content.length}\n`).update(content);
    }
  return digest.digest('base64url');
}

function isProduct(file: string): boolean {
  return /\.(ts|js|sql)$/.test(file) && !/(?:^|[\\/])tests[\\/]/.test(file);
}
