import { randomBytes } from 'node:crypto';

const base62 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** A public resource id: 21 random characters of `[A-Za-z0-9_-]`, 126 bits [catalog-3]. */
export function newTuId(): string {
  return randomBytes(16).toString('base64url').slice(0, 21);
}

/** `length` lower-case hexadecimal characters from the system's random source; `length` is even. */
export function randomHex(length: number): string {
  return randomBytes(length / 2).toString('hex');
}

/** Random `[A-Za-z0-9]`, for secrets. Bytes above the largest multiple of 62 are discarded: all are equally likely. */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += base62.charAt(byte % 62);
    }
  }
  return text;
}
