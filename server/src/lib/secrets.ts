import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hash as hashAtOnce,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

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

export const shortestSecret = 32;

/** The characters of an admin token: visible ASCII without the comma, which separates two tokens. */
export const tokenCharacters = /^[\x21-\x2b\x2d-\x7e]+$/;

export const secretCharacters = /^[^,]+$/;

export function isStrongSecret(secret: string, characters: RegExp): boolean {
  return secret.length >= shortestSecret && characters.test(secret);
}

/** Encrypts what clients keep for the server: cursors and tokens. */
export interface Seal {
  /** Identifies the secret that encrypts, and reveals nothing of it. */
  readonly id: string;
  /** Encrypts `text` for one use. `bound` is not stored: `open` needs the same one. */
  seal(bound: string, text: string): string;
  /** Returns the text, or null unless `seal` created `sealed` with the same `bound` and one of the secrets. */
  open(bound: string, sealed: string): string | null;
}

interface SealOptions {
  /** Any strings: the first one encrypts, all of them decrypt, so secrets can be rotated. */
  readonly secrets: readonly [string, ...string[]];
  /** Seals of different purposes do not open each other's texts. */
  readonly purpose: string;
  /**
   * `random`: equal texts look different each time. `derived`: they look the same in every process, as the body of a
   * response with an entity tag must; a client with two of them sees that they are equal.
   */
  readonly nonce: 'random' | 'derived';
}

const version = 1;
const ivLength = 12;
const tagLength = 16;
const maxLength = 1_000;

interface Keys {
  readonly cipher: Buffer;
  readonly nonce: Buffer;
}

/**
 * Creates a seal with AES-256-GCM: only a holder of a secret can read, change or create a sealed string. HKDF-SHA-256 derives the
 * keys. A derived nonce is an HMAC of what is encrypted. Layout: base64url of version (1 byte), nonce (12), ciphertext, tag (16).
 */
export function createSeal({ secrets, purpose, nonce }: SealOptions): Seal {
  const all = secrets.map((secret) => ({
    cipher: derive(secret, purpose),
    nonce: derive(secret, `${purpose} nonce`),
  })) as [Keys, ...Keys[]];
  const [first] = all;
  return {
    id: createHmac('sha256', first.nonce).update('id').digest('base64url').slice(0, 6),
    seal(bound, text) {
      const iv = nonce === 'random' ? randomBytes(ivLength) : deriveNonce(first, bound, text);
      const cipher = createCipheriv('aes-256-gcm', first.cipher, iv).setAAD(Buffer.from(bound));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.of(version), iv, sealed, cipher.getAuthTag()]).toString('base64url');
    },
    open(bound, sealed) {
      const bytes = bytesOf(sealed);
      if (bytes === null) return null;
      for (const keys of all) {
        const text = opened(keys.cipher, Buffer.from(bound), bytes);
        if (text !== null) return text;
      }
      return null;
    },
  };
}

function derive(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
}

/** The length keeps one pair of `bound` and `text` from being taken for another. */
function deriveNonce({ nonce }: Keys, bound: string, text: string): Buffer {
  return createHmac('sha256', nonce).update(`${bound.length} ${bound}${text}`).digest().subarray(0, ivLength);
}

/** Returns the bytes, or null unless the spelling is the one that `seal` produces. */
function bytesOf(sealed: string): Buffer | null {
  if (sealed.length > maxLength) return null;
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.toString('base64url') !== sealed) return null;
  return bytes.length > 1 + ivLength + tagLength && bytes[0] === version ? bytes : null;
}

function opened(key: Buffer, bound: Buffer, bytes: Buffer): string | null {
  const iv = bytes.subarray(1, 1 + ivLength);
  const sealed = bytes.subarray(1 + ivLength, -tagLength);
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagLength })
    .setAAD(bound)
    .setAuthTag(bytes.subarray(-tagLength));
  try {
    return Buffer.concat([decipher.update(sealed), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
