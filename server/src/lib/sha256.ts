import { createHash, hash as hashAtOnce, timingSafeEqual } from 'node:crypto';

/** SHA-256 of the parts, one after the other; 32 bytes. */
export function sha256(...parts: (string | Uint8Array)[]): Buffer {
  const [only] = parts;
  // Without an object, which costs more than the hash.
  if (only !== undefined && parts.length === 1) return hashAtOnce('sha256', only, 'buffer');
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** Compares two digests in constant time. Digests of different lengths are unequal. */
export function digestsEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
