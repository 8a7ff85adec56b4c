import type { Brandport } from '@brandport/client';
import type { InputFile } from '../../input/input-rows.ts';
import type { Problem } from '../../input/problems.ts';
import type { PlanCounts } from './plan-counts.ts';
import type { RequestLimits } from './plan-summary.ts';
import type { ProductChange } from './product-change.ts';

export interface PlanOptions {
  readonly brandport: Brandport;
  readonly files: readonly InputFile[];
  /** The file of the plan; without it, nothing is written. */
  readonly out?: string | undefined;
  /** The name of the feeds' source; default `brandport-sync`. */
  readonly source?: string | undefined;
  /** The location of stock rows that name none. */
  readonly location?: string | undefined;
  /** Columns to leave alone. */
  readonly ignore?: readonly string[] | undefined;
  /** Creates axes and values that only products name. */
  readonly createAxes?: boolean | undefined;
  /** Sends stock that is stored already as well, which renews its time. */
  readonly allStock?: boolean | undefined;
  /** Archives active products that are not in the input. */
  readonly archiveMissing?: boolean | undefined;
  /** The largest share of the active products that may be archived; default 0.05. */
  readonly maxArchive?: number | undefined;
  /** Default: what the service says, or 60 writes a minute if it limits reads only. */
  readonly writesPerMinute?: number | undefined;
  /** The file that keeps the axes and variants of products for the next plan. */
  readonly cache?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: PlanProgress) => void) | undefined;
}

export interface PlanProgress {
  readonly read: number;
  /** The number of stored products. */
  readonly of: number;
}

export interface PlanResult {
  readonly counts: PlanCounts;
  readonly limits: RequestLimits;
  /** The first 1,000 messages; `counts.problems` counts every place. */
  readonly problems: readonly Problem[];
  /** The first 20 stored products that the plan changes; `changed` counts all. */
  readonly changes: readonly ProductChange[];
  readonly changed: number;
  /** true: applying the plan writes nothing. */
  readonly isEmpty: boolean;
  /** One line. */
  readonly summary: string;
  /** The time that applying takes at the limits. */
  readonly duration: string;
  /** The file of the plan. */
  readonly out: string | null;
}
