/** A table of an engine, whose rows are counted, not estimated. */
export interface EngineTable {
  /** With the engine in front. */
  readonly name: string;
  /** On disk. */
  readonly bytes: number;
  readonly brands: readonly {
    readonly brandId: number;
    readonly rows: number;
    readonly recentRows: number;
  }[];
}

/** An engine that keeps the events and datasets of an analytics store outside of PostgreSQL, as `usage` measures it. */
export interface SizedEngine {
  /** @param since rows of this day and later are recent */
  listTables(since: Date): Promise<readonly EngineTable[]>;
  /** Returns the size of the months of events before that of `before`. */
  sumDueEventBytes(before: Date): Promise<number>;
}
