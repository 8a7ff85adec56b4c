import type { DemoBrand } from '../client/demo-brand.ts';
import type { Step } from '../report.ts';

/** Data that somebody published, and what is done with it. One file or folder each in this folder. */
export interface DataSet {
  /** Its folder below the data directory, and what it is called everywhere. */
  readonly name: string;
  /** Which have to be there, relative to its folder. */
  readonly files: readonly string[];
  /**
   * Sends the data to a brand of its own, reads it back and compares. Differences go to the steps.
   * @throws DemoError when it cannot go on.
   */
  run(run: DataSetRun): Promise<void>;
}

/** The rate limits of a brand, and the number of keys that they require. */
export interface BrandLimits {
  readonly requestsPerMinute: number;
  readonly keys: number;
}

/** The context of a data set. */
export interface DataSetRun {
  /** The data set's folder, absolute. */
  readonly dir: string;
  /** The maximum number of its records; null = all of them. */
  readonly part: number | null;
  /** Makes a brand with keys that hold these scopes. */
  newBrand(scopes: readonly string[]): Promise<DemoBrand>;
  /**
   * Says in advance what a brand is in for, and how long the limits make it: those of the catalog, or so many requests
   * of so many keys a minute.
   */
  announce(brand: DemoBrand, what: string, requests: number, limits?: BrandLimits): void;
  /** One line of the summary: `work` advances it record by record, up to `total`. */
  step<T>(brand: DemoBrand, name: string, total: number, work: (step: Step) => Promise<T>): Promise<T>;
}
