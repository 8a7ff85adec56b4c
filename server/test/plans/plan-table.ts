import type { RecordedPlan } from './plan-recorder.ts';

export const states = ['empty', 'fresh', 'analysed'] as const;
export type State = (typeof states)[number];

/** The maximum that a statement needs over all of its plans and values. */
export interface StatementCost {
  readonly indexes: ReadonlySet<string>;
  readonly rows: number;
  readonly buffers: Readonly<Partial<Record<State, number>>>;
}

export type CostTable = ReadonlyMap<string, StatementCost>;

/** Partitions go by the name of their table, and the tables of one transaction by none. */
function nameOf(index: string): string {
  return index.replace(/_(\d{4}_\d\d|default)_/, '_');
}

export function costsOf(plans: ReadonlyMap<State, readonly RecordedPlan[]>): CostTable {
  const table = new Map<string, StatementCost>();
  for (const [state, recorded] of plans)
    for (const { statement, indexes, rows, buffers } of recorded) {
      const known = table.get(statement) ?? { indexes: new Set<string>(), rows: 0, buffers: {} };
      table.set(statement, {
        // On nearly empty tables any index is as good.
        indexes: new Set([...known.indexes, ...(state === 'empty' ? [] : [...indexes].map(nameOf))]),
        rows: Math.max(known.rows, rows),
        buffers: { ...known.buffers, [state]: Math.max(known.buffers[state] ?? 0, buffers) },
      });
    }
  return table;
}

const head = `# Plans

What each hot statement reads: on an empty database, on a fresh one (some 600,000 rows were loaded and nothing was ever
analysed), and on the same after \`analyze\`. Buffers are pages of 8 KB, those of functions included; rows are the most that one node
of a plan produced and discarded. Each figure is the worst of the plans for the values at hand, for any values, and for
any values made before the rows were there. \`server/test/plans/plans.test.ts\` compares: a statement that needs half as much
again fails it. Another index alone does not: for some look-ups two are equally good. \`UPDATE_PLANS=1 npm test --
server/test/plans/plans.test.ts\` writes this page.

Counts (\`count_…\`), lists of all that changed (\`…u\`), and an aggregation read what they count; nothing else reads more than its own rows.

| statement | indexes | rows | empty | fresh | analysed |
|---|---|---|---|---|---|
`;

export function renderCosts(costs: CostTable): string {
  const lines = [...costs]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { indexes, rows, buffers }]) => {
      const figures = [rows, ...states.map((state) => buffers[state] ?? '')];
      return `| \`${name}\` | ${[...indexes].sort().join(', ')} | ${figures.join(' | ')} |`;
    });
  return `${head}${lines.join('\n')}\n`;
}

export function parseCosts(text: string): CostTable {
  const table = new Map<string, StatementCost>();
  for (const line of text.split('\n')) {
    const [, name, indexes = '', rows, ...figures] = line.split('|').map((cell) => cell.trim());
    if (name === undefined || !name.startsWith('`')) continue;
    table.set(name.slice(1, -1), {
      indexes: new Set(indexes.split(', ').filter((index) => index !== '')),
      rows: Number(rows),
      buffers: Object.fromEntries(
        states.flatMap((state, place) => (figures[place] ? [[state, Number(figures[place])]] : [])),
      ),
    });
  }
  return table;
}

/**
 * Lists the regressions, one per line. Another index is none if it reads no more than the expected one. Without statistics
 * the planner guesses; they are taken within 10 s, so that some pages more are none either.
 */
export function compareCosts(found: CostTable, expected: CostTable): string[] {
  const worse: string[] = [];
  for (const [name, { rows, buffers }] of found) {
    const limit = expected.get(name);
    if (limit === undefined) {
      worse.push(`${name}: is not in the table`);
      continue;
    }
    if (rows > limit.rows * 1.5 + 100) worse.push(`${name}: ${rows} rows, ${limit.rows} expected`);
    for (const state of states) {
      const most = (limit.buffers[state] ?? 0) * 1.5 + (state === 'fresh' ? 1_000 : 200);
      if ((buffers[state] ?? 0) > most)
        worse.push(`${name}: ${buffers[state]} buffers when ${state}, ${limit.buffers[state]} expected`);
    }
  }
  for (const name of expected.keys()) if (!found.has(name)) worse.push(`${name}: was not sent`);
  return worse;
}
