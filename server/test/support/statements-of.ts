import type { Database } from '../../src/postgres/database.ts';

/** Returns the names of the statements that `work` sends by `run` of a database, also as an owner, in alphabetical order. */
export async function statementsOf(database: Database, work: () => Promise<unknown>): Promise<string[]> {
  const names: string[] = [];
  const { run, forOwner } = database;
  const counting = (statement: Parameters<typeof run>[0]) => {
    names.push(statement.name);
    return run.call(database, statement);
  };
  Object.assign(database, { run: counting, forOwner: () => database });
  try {
    await work();
  } finally {
    Object.assign(database, { run, forOwner });
  }
  return names.filter((name) => !name.startsWith('touch')).sort();
}
