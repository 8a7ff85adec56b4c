/** A node of a plan as `explain (analyze, buffers, format json)` prints it. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** The work of a plan. */
export interface PlanSummary {
  /** Pages of tables and indexes, those of functions that it calls included. */
  readonly buffers: number;
  /** The most rows that one node produced and discarded: reveals a nested loop regardless of its pages. */
  readonly rows: number;
  readonly indexes: ReadonlySet<string>;
  /** Tables that were read whole, each with the rows of one pass: a small table may be read whole for each of some rows. */
  readonly scans: ReadonlyMap<string, number>;
}

export function summarize(plan: PlanNode): PlanSummary {
  const indexes = new Set<string>();
  const scans = new Map<string, number>();
  let rows = 0;
  const visit = (node: PlanNode): void => {
    const loops = node['Actual Loops'];
    const discarded =
      (node['Rows Removed by Filter'] ?? 0) +
      (node['Rows Removed by Join Filter'] ?? 0) +
      (node['Rows Removed by Index Recheck'] ?? 0);
    const perLoop = node['Actual Rows'] + discarded;
    const seen = Math.round(perLoop * loops);
    rows = Math.max(rows, seen);
    if (node['Index Name'] !== undefined && loops > 0) indexes.add(node['Index Name']);
    const table = node['Relation Name'];
    if (node['Node Type'] === 'Seq Scan' && table !== undefined && loops > 0)
      scans.set(table, (scans.get(table) ?? 0) + Math.round(perLoop));
    for (const child of node.Plans ?? []) visit(child);
  };
  visit(plan);
  return {
    buffers: (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0),
    rows,
    indexes,
    scans,
  };
}
