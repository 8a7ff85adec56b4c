import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type ConfigError, loadConfig } from '../../config.ts';

const load = (env: Record<string, string>) => loadConfig(env, '/srv').backup;

it('the settings of backups take paths, an interval of at least a quarter of an hour and a number', () => {
  assert.equal(load({ BRANDPORT_BACKUP_DIR: 'kept' }).dir, '/srv/kept');
  const intervals = { '15m': 900, '1h': 3_600, '36h': 129_600, '1d': 86_400 };
  for (const [text, seconds] of Object.entries(intervals))
    assert.equal(load({ BRANDPORT_BACKUP_EVERY: text }).everyMs, seconds * 1_000);
  assert.equal(load({ BRANDPORT_BACKUP_KEEP: '1' }).keep, 1);
});

it('what the settings of backups cannot mean is refused', () => {
  for (const env of [
    ...['14m', '0h', '1', 'h', '1w', '01h', '-1h', '1.5h', ' 1h'].map((text) => ({
      BRANDPORT_BACKUP_EVERY: text,
    })),
    ...['0', '-1', '1e3', '10000', 'all'].map((text) => ({ BRANDPORT_BACKUP_KEEP: text })),
    { BRANDPORT_BACKUP_COPY_DIR: '/mnt' },
    { BRANDPORT_BACKUP_COPY_DIR: '/srv/kept', BRANDPORT_BACKUP_DIR: 'kept/' },
  ])
    assert.throws(
      () => load(env),
      ({ problems }: ConfigError) =>
        problems.length === 1 && problems[0]?.startsWith(Object.keys(env)[0] as string),
      JSON.stringify(env),
    );
});
