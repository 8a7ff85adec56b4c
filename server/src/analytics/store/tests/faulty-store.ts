import type { TcpProxy } from '../../../../test/support/tcp-proxy.ts';
import type { AnalyticsStore } from '../analytics-store.ts';

/** A store whose connections a test can break, and the same store on connections that stay. */
export interface FaultyStore {
  readonly store: AnalyticsStore;
  readonly direct: AnalyticsStore;
  /** The ways to the store's engines, by name. */
  readonly paths: readonly FaultyPath[];
  /** The way to the coordination, which is one of the paths. */
  readonly coordination: TcpProxy;
  /** The rows that the engine has, counted or not, of events and of all datasets. */
  countRows(brandId: number): Promise<StoredRows>;
  /** Makes everything that was written so far two hours older. */
  age(): Promise<void>;
  newBrandId(): number;
}

export interface FaultyPath {
  readonly name: string;
  readonly proxy: TcpProxy;
  /** True if pages use it, and so do aggregations without a limit of time, which notice that it hangs. */
  readonly hasRows: boolean;
}

export interface StoredRows {
  readonly events: number;
  readonly datasets: number;
}
