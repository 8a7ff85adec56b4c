import { resolve } from 'node:path';
import type { ReadSetting } from '../lib/read-setting.ts';

/** The settings of backups; all but the key are of those that a worker makes regularly. */
export interface BackupSettings {
  /** Absolute; null: none are made regularly. */
  readonly dir: string | null;
  readonly everyMs: number;
  readonly keep: number;
  /** Absolute; null: they are not copied. */
  readonly copyDir: string | null;
  /** Absolute; null: backups are not encrypted. */
  readonly keyFile: string | null;
}

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 };
/** The job looks this often. */
const shortestMs = 15 * unitMs.m;

/** Reads the settings from the environment, and adds what does not fit together to `problems`. */
export function readBackupSettings(read: ReadSetting, cwd: string, problems: string[]): BackupSettings {
  const path = (name: string) => read<string | null>(name, null, 'a path', (value) => resolve(cwd, value));
  const settings = {
    dir: path('BRANDPORT_BACKUP_DIR'),
    everyMs: read(
      'BRANDPORT_BACKUP_EVERY',
      unitMs.h,
      'an interval of at least 15m, such as 30m, 6h or 1d',
      parseInterval,
    ),
    keep: read('BRANDPORT_BACKUP_KEEP', 48, 'an integer from 1 to 9999', (value) =>
      /^[1-9]\d{0,3}$/.test(value) ? Number(value) : undefined,
    ),
    copyDir: path('BRANDPORT_BACKUP_COPY_DIR'),
    keyFile: path('BRANDPORT_BACKUP_KEY_FILE'),
  };
  if (settings.copyDir !== null && (settings.dir === null || settings.dir === settings.copyDir))
    problems.push(
      'BRANDPORT_BACKUP_COPY_DIR must be another directory than BRANDPORT_BACKUP_DIR, which it needs.',
    );
  return settings;
}

function parseInterval(text: string): number | undefined {
  const [, count, unit] = /^([1-9]\d{0,3})([mhd])$/.exec(text) ?? [];
  const ms = Number(count) * unitMs[unit as keyof typeof unitMs];
  return ms >= shortestMs ? ms : undefined;
}
