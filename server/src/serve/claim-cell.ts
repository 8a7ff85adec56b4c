import { brandIdsOf, feedTokenIdsOf } from '../brands/cell.ts';
import { findCell, hasBrandOutside, insertCell, limitIds, lockCell } from '../brands/cell-store.ts';
import type { Database } from '../postgres/database.ts';
import { StartError } from './start-error.ts';

/**
 * Makes the database the given cell, once and for all, or checks that it is that cell [D201]. Concurrent starts wait for each
 * other. Costs one statement without cells.
 * @param cell null: `BRANDPORT_CELL` is not set
 * @throws StartError when the database is another cell, or has brands of other cells and was none
 */
export async function claimCell(database: Database, cell: string | null): Promise<void> {
  const found = await findCell(database);
  if (cell === null) {
    if (found !== null)
      throw new StartError(`The database is the cell ${found}. Start with BRANDPORT_CELL=${found}.`);
    return;
  }
  requireSame(found, cell);
  await database.transaction(async (tx) => {
    await lockCell(tx);
    const stored = await findCell(tx);
    requireSame(stored, cell);
    const brandIds = brandIdsOf(cell);
    if (stored === null) {
      if (await hasBrandOutside(tx, brandIds))
        throw new StartError(
          `The database has brands from before it was a cell, with ids of other cells than ${cell}. It can be the cell 00 ` +
            '(BRANDPORT_CELL=00) or none.',
        );
      await insertCell(tx, cell);
    }
    // At every start: a restored backup has the cell, but sequences without limits.
    await limitIds(tx, 'brands', brandIds);
    await limitIds(tx, 'feed_tokens', feedTokenIdsOf(cell));
  });
}

function requireSame(stored: string | null, cell: string): void {
  if (stored !== null && stored !== cell)
    throw new StartError(
      `The database is the cell ${stored}, and BRANDPORT_CELL is ${cell}. Start with BRANDPORT_CELL=${stored}, or use the ` +
        `database of the cell ${cell}.`,
    );
}
