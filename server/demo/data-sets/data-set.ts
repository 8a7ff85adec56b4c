import type { DemoBrand, Scope } from '../client/demo-brand.ts';
import type { Step } from '../report.ts';

/** A published data set and the steps that are run with it. Each has a file or folder in this folder. */
export interface DataSet {
  /** Its folder below the data directory; also its name. */
  readonly name: string;
  /** The required files, relative to its folder. */
  readonly files: readonly string[];
  /**
   * Sends the data to a new brand, reads it back and compares. Reports differences to the steps.
   * @throws DemoError if it cannot continue
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
  /** Creates a brand with keys that have these scopes. */
  newBrand(scopes: readonly Scope[]): Promise<DemoBrand>;
  /** Announces what goes to a brand, and its limits: those of the catalog, or the given ones. */
  announce(brand: DemoBrand, what: string, limits?: BrandLimits): void;
  /** One line of the summary: `work` advances it record by record, up to `total`. */
  step<T>(brand: DemoBrand, name: string, total: number, work: (step: Step) => Promise<T>): Promise<T>;
}
