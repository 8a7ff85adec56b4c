/** A stored value that does not match the data from which it derives. */
export interface Difference {
  /** The readable name of the row: a `tu_id`, a SKU, a SKU and a location, a day and a learner. */
  readonly id: string;
  readonly field: string;
  readonly stored: string | null;
  /** The value that follows from the rest of the database. */
  readonly actual: string | null;
  /** false if two values contradict each other and nothing shows which is correct. */
  readonly isRepairable: boolean;
}

/** The differences of one examination: their number, and the first of them. */
export interface Differences {
  readonly found: number;
  readonly listed: readonly Difference[];
}

/** The findings of one check in one brand; `--json` prints them as they are. */
export interface CheckReport {
  readonly check: string;
  readonly brand_id: number;
  readonly found: number;
  readonly repaired: number;
  /** At most `mostListed`. */
  readonly differences: readonly ReportedDifference[];
}

export interface ReportedDifference extends Omit<Difference, 'isRepairable'> {
  readonly outcome: 'repaired' | 'repairable' | 'not repairable';
}

/** More are only counted, so that a million differences take no more memory than a hundred. */
export const mostListed = 100;

/** Adds up what a check finds in the batches of a brand. */
export class CheckTally {
  #found = 0;
  #repaired = 0;
  readonly #differences: ReportedDifference[] = [];

  /** @param left what a second examination found, after a repair; null: nothing was repaired */
  add({ found, listed }: Differences, left: Differences | null): void {
    this.#found += found;
    if (left !== null) this.#repaired += found - Math.min(found, left.found);
    const isComplete = left !== null && left.found === left.listed.length;
    const again = new Set(left?.listed.map(nameOf));
    for (const difference of listed.slice(0, mostListed - this.#differences.length)) {
      const { id, field, stored, actual, isRepairable } = difference;
      const isRepaired = isComplete && !again.has(nameOf(difference));
      const outcome = isRepaired ? 'repaired' : isRepairable ? 'repairable' : 'not repairable';
      this.#differences.push({ id, field, stored, actual, outcome });
    }
  }

  /** null: it found nothing. */
  reportOf(check: string, brandId: number): CheckReport | null {
    if (this.#found === 0) return null;
    const [found, repaired, differences] = [this.#found, this.#repaired, this.#differences];
    return { check, brand_id: brandId, found, repaired, differences };
  }
}

function nameOf({ id, field }: Difference): string {
  return JSON.stringify([id, field]);
}

/** A check's report as lines of text. */
export function checkText({ check, brand_id, found, differences }: CheckReport): string {
  const lines = differences.map(
    ({ id, field, stored, actual, outcome }) =>
      `brand ${brand_id}  ${check}  ${id}  ${field}: is ${stored ?? 'null'}, should be ${actual ?? 'null'} (${outcome})\n`,
  );
  const more = found - differences.length;
  return lines.join('') + (more === 0 ? '' : `brand ${brand_id}  ${check}  ${more} more differences\n`);
}
