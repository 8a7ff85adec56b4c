/**
 * Settings of earlier versions and what to use instead, as a sentence. The start refuses them, so that an operator
 * learns from the upgrade, not from an incident, that a setting has no effect any more.
 */
export const removedSettings: ReadonlyMap<string, string> = new Map([
  ['BRANDPORT_CELL', 'The catalog has one PostgreSQL; see docs/scale.md for what outgrows it.'],
  ['BRANDPORT_BACKUP_DIR', 'Make backups with cron and `brandport backup FILE`; see docs/operations.md.'],
  ['BRANDPORT_BACKUP_EVERY', 'Make backups with cron and `brandport backup FILE`; see docs/operations.md.'],
  ['BRANDPORT_BACKUP_KEEP', 'Delete old backups with cron and `find -mtime`; see docs/operations.md.'],
  ['BRANDPORT_BACKUP_COPY_DIR', 'Copy backups with cron; see docs/operations.md.'],
  ['BRANDPORT_BACKUP_KEY_FILE', 'Encrypt backups with `age`; see docs/operations.md.'],
]);
