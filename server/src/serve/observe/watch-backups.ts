import type { Registry } from 'prom-client';
import { listRegularBackups } from '../../backup/backup-folder.ts';
import type { BackupSettings } from '../../backup/backup-settings.ts';
import { collectGauge } from '../../http/collected-gauge.ts';
import { RememberedReading } from '../../lib/remembered-reading.ts';

/** Shows the age of the newest regular backup and of its copy, as the directories have them. */
export function watchBackups(registry: Registry, { dir, copyDir, everyMs }: BackupSettings): void {
  if (dir === null) return;
  const places = Object.entries({ dir, copy: copyDir }).map(([place, path]) => ({
    place,
    newest: new RememberedReading({
      read: async () => (path === null ? [] : (await listRegularBackups(path)).slice(0, 1)),
      lifetimeMs: 60_000,
    }),
  }));
  collectGauge(registry, {
    name: 'brandport_backup_last_success_timestamp_seconds',
    help: 'The time of the newest regular backup in a directory, in seconds since 1970; 0 if the directory cannot be read, missing before the first one.',
    labelNames: ['place'],
    read: async (gauge) => {
      const newest = await Promise.all(places.map((one) => one.newest.get()));
      gauge.reset();
      for (const [index, { place }] of places.entries()) {
        const [backup] = newest[index] ?? [{ at: 0 }];
        if (backup !== undefined) gauge.set({ place }, backup.at / 1_000);
      }
    },
  });
  collectGauge(registry, {
    name: 'brandport_backup_interval_seconds',
    help: 'How often a regular backup is made, in seconds.',
    read: (gauge) => gauge.set(everyMs / 1_000),
  });
}
