import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { BackupError } from '../backup-error.ts';

// AES-256-GCM. An encrypted member is nonce, ciphertext and tag; its name is authenticated with it, so that members cannot be
// exchanged. A member has at most 64 GiB [D236].
const algorithm = 'aes-256-gcm';
export const nonceBytes = 12;
export const tagBytes = 16;

/** Follows the name of an encrypted member. */
export const encryptedSuffix = '.aes';

/** Returns a step of a pipeline that encrypts a member; without a key it passes the member on. */
export function sealing(key: Buffer | null, name: string) {
  return async function* (content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    if (key === null) return yield* content;
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(name));
    yield nonce;
    for await (const chunk of content) yield cipher.update(chunk);
    yield Buffer.concat([cipher.final(), cipher.getAuthTag()]);
  };
}

export interface SealedMember {
  readonly name: string;
  readonly nonce: Buffer;
  readonly tag: Buffer;
  readonly ciphertext: AsyncIterable<Buffer>;
}

/** Decrypts a member. @throws BackupError at its end, when the key is another one or the member was changed */
export async function* opened(
  key: Buffer,
  { name, nonce, tag, ciphertext }: SealedMember,
): AsyncGenerator<Buffer> {
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
    .setAAD(Buffer.from(name))
    .setAuthTag(tag);
  for await (const chunk of ciphertext) yield decipher.update(chunk);
  try {
    decipher.final();
  } catch (cause) {
    throw new BackupError(`it is damaged: ${name} does not fit its key`, { cause });
  }
}
