import { migrateAnalyticsStore } from '../serve/open-analytics-store.ts';
import { openMainDatabase } from '../serve/open-main-database.ts';
import type { CommandContext } from './command.ts';

/** Migrates the databases to the latest schema. @throws StartError, EmbeddedPostgresError, MigrationError */
export async function migrate({ config, log, cancelled }: CommandContext): Promise<number> {
  const database = await openMainDatabase(config, log, cancelled);
  try {
    await migrateAnalyticsStore({ url: config.analyticsUrl, main: database.address, log, cancelled });
    return 0;
  } finally {
    await database.stop();
  }
}
