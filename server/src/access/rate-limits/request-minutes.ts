import type { KeyBucketName } from '../../api/access.ts';
import { limitNamesOf } from '../own-limits.ts';

/** A request that the limits have admitted. */
export interface AdmittedRequest {
  readonly brandId: number;
  /** The key's public id; null: a feed token, which has no own limits. */
  readonly keyId: string | null;
  readonly domain: 'catalog' | 'analytics';
  readonly isRead: boolean;
}

/** The admitted requests of an hour that count against one limit. */
export interface RequestHour {
  readonly brandId: number;
  /** null: all keys and feed tokens of the brand. */
  readonly keyId: string | null;
  readonly bucket: KeyBucketName;
  /** Its start, in milliseconds since the Unix epoch. */
  readonly hour: number;
  /** The counts by minute of the hour: 60 numbers. */
  readonly requests: number[];
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** Hours that wait to be written, some 600 bytes each: of all brands, and of one. Further keys are left out until then. */
const mostWaiting = 20_000;
const mostOfBrand = 4_000;

/** Counts admitted requests by minute and limit until they are written. */
export class RequestMinutes {
  #hours = new Map<string, RequestHour>();
  #ofBrand = new Map<number, number>();

  /** Counts a request at a time in milliseconds since the Unix epoch. */
  add({ brandId, keyId, domain, isRead }: AdmittedRequest, at: number): void {
    const [ofKey, ofBrand] = limitNamesOf(domain, isRead);
    const hour = Math.floor(at / hourMs) * hourMs;
    const minute = Math.floor((at - hour) / minuteMs);
    this.#count({ brandId, keyId: null, bucket: ofBrand, hour }, minute);
    if (keyId !== null) this.#count({ brandId, keyId, bucket: ofKey, hour }, minute);
  }

  #count(of: Omit<RequestHour, 'requests'>, minute: number): void {
    const name = nameOf(of);
    let row = this.#hours.get(name);
    if (row === undefined) {
      const ofBrand = this.#ofBrand.get(of.brandId) ?? 0;
      if (this.#hours.size >= mostWaiting || ofBrand >= mostOfBrand) return;
      this.#ofBrand.set(of.brandId, ofBrand + 1);
      row = { ...of, requests: Array.from({ length: 60 }, () => 0) };
      this.#hours.set(name, row);
    }
    row.requests[minute] = (row.requests[minute] ?? 0) + 1;
  }

  take(): RequestHour[] {
    const hours = [...this.#hours.values()];
    this.#hours = new Map();
    this.#ofBrand = new Map();
    return hours;
  }

  /** Adds what could not be written to what came since. */
  putBack(hours: readonly RequestHour[]): void {
    for (const row of hours) {
      const since = this.#hours.get(nameOf(row));
      this.#hours.set(nameOf(row), row);
      since?.requests.forEach((requests, minute) => {
        row.requests[minute] = (row.requests[minute] ?? 0) + requests;
      });
    }
  }
}

function nameOf({ hour, brandId, keyId, bucket }: Omit<RequestHour, 'requests'>): string {
  return `${hour} ${brandId} ${keyId} ${bucket}`;
}
