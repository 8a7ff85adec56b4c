import type { Seal } from '../../lib/seal.ts';

/** A place in the changes of a brand's stock: the client knows what was changed before it [catalog-120]. */
export interface ChangePlace {
  /** The stock version that the place is at. */
  readonly version: number;
  /** When that version was written, in milliseconds since the Unix epoch. Tells two histories with equal versions apart. */
  readonly changedAt: number;
  /** The number of the version's changed levels that are before the place; null: all. */
  readonly done: number | null;
  /** While all levels are listed for the first time: the id of the last one; else null. */
  readonly afterLevel: number | null;
}

/** The stock of a brand at the moment of a read, and what it has recorded at a place. */
export interface ChangeHistory {
  readonly version: number;
  readonly changedAt: number;
  /** When the place's version was written; null if that is not recorded any more. */
  readonly placeChangedAt: number | null;
  /** True if the first change after the place is recorded. Later ones are recorded as long as it is. */
  readonly isNextKept: boolean;
}

export function nextVersionOf({ version, done }: ChangePlace): number {
  return done === null ? version + 1 : version;
}

/**
 * False for a place from before the recorded changes, or of another history: another database, or one that a restore has
 * undone.
 */
export function leadsThrough(history: ChangeHistory, place: ChangePlace): boolean {
  if (nextVersionOf(place) > history.version)
    return place.version === history.version && place.changedAt === history.changedAt;
  const { isNextKept, placeChangedAt } = history;
  return isNextKept && (placeChangedAt === null || placeChangedAt === place.changedAt);
}

/** The value of `changed_after` that begins with all levels. */
export const startToken = 'start';

/** Equal places have equal tokens, in every process, because the bodies that contain them have strong entity tags. */
export function changeTokenOf(seal: Seal, brandId: number, place: ChangePlace): string {
  const { version, changedAt, done, afterLevel } = place;
  return seal.seal(boundTo(brandId), JSON.stringify([version, changedAt, done, afterLevel]));
}

/** Returns null for a token that the server has not created for the brand. */
export function placeOfToken(seal: Seal, brandId: number, token: string): ChangePlace | null {
  const text = seal.open(boundTo(brandId), token);
  if (text === null) return null;
  const [version, changedAt, done, afterLevel] = JSON.parse(text) as [
    number,
    number,
    number | null,
    number | null,
  ];
  return { version, changedAt, done, afterLevel };
}

function boundTo(brandId: number): string {
  return `stock changes of ${brandId}`;
}
