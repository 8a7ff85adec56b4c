import type { Seal } from '../../lib/seal.ts';
import type { ChangePlace } from './change-place.ts';

/** The value of `changed_after` that begins with all levels. */
export const startToken = 'start';

/**
 * Returns the opaque token of a place, which is valid for one brand. Equal places have equal tokens, in every process,
 * because the bodies that contain them have strong entity tags.
 */
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
