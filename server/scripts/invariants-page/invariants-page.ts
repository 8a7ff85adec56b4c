import { clickHouseInvariants } from '../../../extensions/clickhouse/src/doctor/examine-clickhouse.ts';
import { datasetInvariants } from '../../src/doctor/dataset-invariants.ts';
import { mainInvariants } from '../../src/doctor/examine-brand.ts';

const introduction = `# Invariants

<!-- Generated from the invariants of server/src/doctor and of the extensions by \`npm run generate\`. Change it there. -->

Invariants across the rows of the databases. \`brandport doctor\` has a check for each, with the same id, and
\`--repair\` repairs derived data. Constraints on single rows (types, ranges, uniqueness) are in \`server/schema.sql\`, enforced by
PostgreSQL, and not repeated here.

| id | tables | invariant | \`--repair\` |
|---|---|---|---|
`;

const limits = `
A level is **disputed** if it disagrees with its movements on quantity or owner. Figures derived from it are
reported but never repaired: a repair would make them agree with the damage.

The doctor cannot recompute, and does not compare:

- \`live_content\` of daily rows and \`total_users\` of content rows: snapshots of the time of the aggregation.
- The digest of a feed: it covers the request before times of receipt were filled in.
- Dirty days, days whose raw events were dropped, values from before an opt-out or opt-in, and aggregates that include
  erased learners. The report counts these days. A record with more learners than the day has rows looks like an erasure.
- Stock versions that were lost with their rows, and the order of axes and values: any position is valid.
- Jobs of unfinished feeds: workers requeue a lost one automatically.
`;

/** Returns the text of `docs/invariants.md`. */
export function invariantsPage(): string {
  const rows = [...mainInvariants, ...datasetInvariants, ...clickHouseInvariants].map(
    ({ id, tables, holds, repair }) => {
      const names = tables.map((table) => (table.includes(' ') ? table : `\`${table}\``)).join(', ');
      return `| \`${id}\` | ${names} | ${holds} | ${repair ?? 'nothing: both sides may be wrong'} |\n`;
    },
  );
  return introduction + rows.join('') + limits;
}
