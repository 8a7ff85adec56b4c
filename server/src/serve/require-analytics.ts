import type { DatabaseAddress } from '../postgres/connection-options.ts';
import { requireMigrated } from '../postgres/schema/migrate.ts';
import { analyticsSchema } from '../postgres/schema/schema-line.ts';
import { isConnectionFailure } from '../postgres/sqlstate.ts';
import { StartError } from './start-error.ts';

/**
 * Checks that the analytics store has the schema of this version.
 * @throws StartError if the analytics store is unavailable; MigrationError
 */
export async function requireAnalytics(address: DatabaseAddress): Promise<void> {
  try {
    await requireMigrated(address, analyticsSchema);
  } catch (error) {
    if (!isConnectionFailure(error)) throw error;
    throw new StartError(`The analytics store cannot be reached: ${(error as Error).message}`);
  }
}
