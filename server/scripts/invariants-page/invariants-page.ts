import { invariants } from '../../src/doctor/invariants.ts';

const introduction = `# Invariants

<!-- Made from server/src/doctor/invariants.ts by \`npm run generate\`. Change it there. -->

What must hold between the rows of the databases. \`brandport doctor\` has a check for each, with the same id, and
\`--repair\` puts right what follows from the rest. What a constraint says of one row (types, ranges, uniqueness) is in
\`server/schema.sql\`; PostgreSQL holds it, and nothing here repeats it.

| id | tables | what holds | \`--repair\` |
|---|---|---|---|
`;

const limits = `
A level is **disputed** when it and its movements tell of different quantities or owners. What follows from such a level is
reported and never repaired: a repair would make the rest agree with the damage.

The doctor cannot recompute, and does not compare:

- \`live_content\` of daily rows and \`total_users\` of content rows: facts of the time of the aggregation.
- The digest of a feed: it covers the request, in which times of receipt were not filled in yet.
- Days that are dirty, days whose raw events were dropped, figures from before an opt-out or opt-in, and what aggregates keep of
  erased learners. The report counts them apart; they are no differences. A day's count of learner rows that is too high looks
  like an erasure.
- Stock versions that were lost with their rows, and order of axes and values: any position is valid.
- Jobs of unfinished feeds: workers queue a lost one again by themselves.
`;

/** The text of `docs/invariants.md`. */
export function invariantsPage(): string {
  const rows = invariants.map(({ id, tables, holds, repair }) => {
    const names = tables.map((table) => (table.includes(' ') ? table : `\`${table}\``)).join(', ');
    return `| \`${id}\` | ${names} | ${holds} | ${repair ?? 'nothing: both sides may be wrong'} |\n`;
  });
  return introduction + rows.join('') + limits;
}
