import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Clock } from '../lib/clock.ts';
import type { Day, DayRange } from './day.ts';

/** The request that a cursor is valid for [analytics-23]. */
export interface CursorBinding {
  readonly brandId: number;
  readonly dataset: string;
  /** All filters of the walk by parameter name, without the absent ones. Their order does not matter. */
  readonly filters: Readonly<Record<string, string | boolean | undefined>>;
}

/** The content of a cursor. */
export interface CursorContent {
  /** The resolved window of the walk. A walk that began with defaults keeps them past midnight [D26]. */
  readonly window: DayRange;
  /** The ends of the window that the first request did not specify. */
  readonly defaulted: { readonly from: boolean; readonly to: boolean };
  /** The key of the last row read, in the order of the dataset. */
  readonly position: readonly (number | Day)[];
}

export interface CursorCodec {
  encode(binding: CursorBinding, content: CursorContent): string;
  /** Returns null for a cursor that is not valid for the binding. */
  decode(binding: CursorBinding, text: string): CursorContent | null;
}

const version = 1;
const ivLength = 12;
const tagLength = 16;
const maxLength = 1_000;
const maxAgeMs = 24 * 3_600_000;

interface Payload {
  readonly at: number;
  readonly from: Day;
  readonly to: Day;
  /** 1: `from` was defaulted; 2: `to` was. */
  readonly d: number;
  readonly p: readonly (number | Day)[];
}

/**
 * Creates a codec that encrypts cursors with AES-256-GCM: only a holder of a secret can read, change or create one. The
 * first secret encrypts and all of them decrypt, so secrets can be rotated. Brand, dataset and filters are not stored
 * in the cursor but authenticated with it. Layout: base64url of version (1 byte), nonce (12), ciphertext, tag (16).
 * @param secrets any strings; HKDF-SHA-256 derives a key from each
 */
export function createCursorCodec(secrets: readonly [string, ...string[]], clock: Clock): CursorCodec {
  const keys = secrets.map(keyOf) as [Buffer, ...Buffer[]];
  return {
    encode(binding, { window, defaulted, position }) {
      const payload: Payload = {
        at: clock.now(),
        from: window.from,
        to: window.to,
        d: (defaulted.from ? 1 : 0) + (defaulted.to ? 2 : 0),
        p: position,
      };
      return seal(keys[0], bindingBytes(binding), JSON.stringify(payload));
    },
    decode(binding, text) {
      const bytes = bytesOf(text);
      if (bytes === null) return null;
      const bound = bindingBytes(binding);
      for (const key of keys) {
        const opened = open(key, bound, bytes);
        if (opened === null) continue;
        const { at, from, to, d, p } = JSON.parse(opened) as Payload;
        if (clock.now() - at > maxAgeMs) return null;
        return {
          window: { from, to },
          defaulted: { from: (d & 1) !== 0, to: (d & 2) !== 0 },
          position: p,
        };
      }
      return null;
    },
  };
}

function keyOf(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'brandport analytics cursor', 32));
}

/** Returns the same bytes for the same binding, regardless of the order of its filters. */
function bindingBytes({ brandId, dataset, filters }: CursorBinding): Buffer {
  const named = Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return Buffer.from(JSON.stringify([version, brandId, dataset, named]));
}

/** Returns the bytes of a cursor, or null unless its spelling is the one that `seal` produces. */
function bytesOf(text: string): Buffer | null {
  if (text.length > maxLength) return null;
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.toString('base64url') !== text) return null;
  return bytes.length > 1 + ivLength + tagLength && bytes[0] === version ? bytes : null;
}

function seal(key: Buffer, bound: Buffer, text: string): string {
  const iv = randomBytes(ivLength);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(bound);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.of(version), iv, sealed, cipher.getAuthTag()]).toString('base64url');
}

function open(key: Buffer, bound: Buffer, bytes: Buffer): string | null {
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
