import type { BrandReach } from '../api/access.ts';
import { takeTurn } from '../lib/loop-turns.ts';
import { mapInStretches } from '../lib/map-in-stretches.ts';
import { distanceToPart } from '../lib/nearest-name.ts';
import type { Database } from '../postgres/database.ts';
import { statement } from '../postgres/statement.ts';

interface NamedBrand {
  readonly id: number;
  readonly name: string;
}

/** Brands that are compared at most, the oldest first. */
const mostCompared = 20_000;
const mostSimilar = 3;
/** One letter in so many may be wrong, so that shorter texts are like no name. */
const lettersOfFault = 4;
const mostFaults = 3;

/**
 * Finds brands in reach (null: all) with a name, or a part of one, that was probably meant by a text: at most three, the
 * likeliest first. Compares the names of at most 20,000 brands, in turns of the caller's share of the thread [D361].
 */
export async function findSimilarBrands(
  database: Database,
  text: string,
  brandIds: BrandReach,
): Promise<NamedBrand[]> {
  const most = Math.min(Math.floor(text.length / lettersOfFault), mostFaults);
  if (most === 0) return [];
  const brands = await database.run(
    statement<NamedBrand>(
      'list_compared_brands',
      `select b.id, b.name from brands b
       where ($1::integer[] is null or b.id = any($1::integer[])) and length(b.name) >= $2::integer
       order by b.id limit ${mostCompared}`,
      [brandIds, text.length - most],
      { long: true },
    ),
  );
  const letters = [...text.toLowerCase()];
  const compare = (brand: NamedBrand) => {
    // Each letter that the name lacks is a fault, so that few names need the whole comparison.
    const name = brand.name.toLowerCase();
    const lacking = letters.filter((letter) => !name.includes(letter)).length;
    return { brand, distance: lacking > most ? lacking : distanceToPart(text, brand.name) };
  };
  const compared = await mapInStretches(brands, compare, () => takeTurn(database.owner));
  return compared
    .filter(({ distance }) => Math.floor(distance) <= most)
    .sort((one, other) => one.distance - other.distance)
    .slice(0, mostSimilar)
    .map(({ brand }) => brand);
}
