import type { AddCommand, CommandContext } from './command.ts';

export const addMigrate: AddCommand = (program, run) => {
  program
    .command('migrate')
    .description('migrate the databases to the latest schema, then exit; the embedded one must not be in use')
    .action(() => run(migrate));
};

async function migrate({ config, log, stopping }: CommandContext): Promise<number> {
  const { openMainDatabase } = await import('../serve/open-main-database.ts');
  const { migrateAnalyticsStore } = await import('../serve/open-analytics-store.ts');
  const cancelled = stopping();
  const database = await openMainDatabase(config, log, cancelled);
  try {
    await migrateAnalyticsStore({ url: config.analyticsUrl, main: database.address, log, cancelled });
    return 0;
  } finally {
    await database.stop();
  }
}
