import type { DatasetName, Row } from './served-rows.ts';

/**
 * Checks the order of a walk [analytics-22]. The internal ids are not served, but their consequences are
 * visible: the rows of a content or learner are consecutive, and their days ascend. Orphaned references are
 * indistinguishable.
 */
export class RowOrder {
  readonly #dataset: DatasetName;
  readonly #finished = new Set<string>();
  #group: string | null = null;
  #date = '';

  constructor(dataset: DatasetName) {
    this.#dataset = dataset;
  }

  /** Returns the problem with the position of the next row, or null. */
  faultOf({ date, user, content }: Row): string | null {
    let group: string | null = '';
    if (this.#dataset === 'users') group = user?.tu_id ?? null;
    else if (this.#dataset !== 'daily') group = content ? `${content.type}/${content.tu_id}` : null;
    if (group === this.#group) {
      const isBackward = group !== null && date < this.#date;
      this.#date = date;
      return isBackward ? `${group} ${date}: its days do not ascend` : null;
    }
    if (this.#group !== null) this.#finished.add(this.#group);
    this.#group = group;
    this.#date = date;
    return group !== null && this.#finished.has(group)
      ? `${group} ${date}: its rows do not come together`
      : null;
  }
}
