import { type Day, dayNumberOf } from '../../../../server/src/analytics/day.ts';
import { integer } from './literals.ts';

/**
 * The published generations of a dataset by day, oldest first. The first one has all rows of the day. Each of the others has
 * the rows of some keys, which replace those of the earlier ones.
 */
export type Layers = ReadonlyMap<Day, readonly number[]>;

/** A condition that keeps the published rows: `first` layers have the sums of days, `all` have corrected totals too. */
export function pairsOf(
  layers: Layers,
  isAsked: (day: Day) => boolean,
  which: 'first' | 'all',
): string | null {
  const pairs: string[] = [];
  for (const [day, generations] of layers) {
    if (!isAsked(day)) continue;
    for (const generation of which === 'first' ? generations.slice(0, 1) : generations)
      pairs.push(`(${dayNumberOf(day)}, ${integer(generation)})`);
  }
  return pairs.length === 0 ? null : `(day, generation) in (${pairs.join(', ')})`;
}

export function hasOverlays(layers: Layers): boolean {
  return layers.values().some((generations) => generations.length > 1);
}

/**
 * A condition that keeps the published rows of a page. Unlike `pairsOf`, the index of the table does not evaluate it: comparing
 * every mark with a list of pairs takes longer than reading a page.
 */
export function publishedOf(layers: Layers): string | null {
  if (layers.size === 0) return null;
  const deepest = Math.max(...layers.values().map((generations) => generations.length));
  const ofLayer = (place: number) => {
    const days = [...layers].filter(([, generations]) => generations.length > place);
    const generations = days.map(([, ofDay]) => integer(ofDay[place] as number));
    return `generation = transform(day, [${days.map(([day]) => dayNumberOf(day)).join(', ')}], [${generations.join(', ')}], toInt64(0))`;
  };
  return `(${Array.from({ length: deepest }, (_, place) => ofLayer(place)).join(' or ')})`;
}
