import type { Config } from '../config.ts';
import { shownAddress } from '../lib/urls.ts';
import { packageVersion } from './package-version.ts';

/** Returns what the first line of a server's log says: what runs here, and with which settings. Without secrets. */
export function describeStart({ role, databaseUrl, dataDir, changedSettings }: Config) {
  return {
    version: packageVersion,
    node: process.versions.node,
    role,
    database: databaseUrl === null ? `embedded in ${dataDir}` : shownAddress(databaseUrl),
    settings: changedSettings,
  };
}
