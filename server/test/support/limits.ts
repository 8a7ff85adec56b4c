import type { ConfiguredLimits } from '../../src/access/rate-limits/rate-limits.ts';
import { loadConfig } from '../../src/config.ts';

/** Turns the catalog's limits of a server process off, for tests that send as much as they can. */
export const unlimitedCatalog = {
  BRANDPORT_LIMIT_CATALOG_READS: '0',
  BRANDPORT_LIMIT_CATALOG_WRITES: '0',
  BRANDPORT_LIMIT_CATALOG_BRAND: '0',
};

/** The limits of a server without settings. */
export const defaultLimits: ConfiguredLimits = loadConfig({}, '/').limits;

/** Every limit off. */
export const unlimited: ConfiguredLimits = {
  catalog_key_reads: 0,
  catalog_key_writes: 0,
  catalog_brand: 0,
  analytics_key: 0,
  analytics_brand: 0,
  address: 0,
  admin_failures: 0,
};

/** Limits that a test reaches with a few requests; analytics of a brand are unlimited. */
export const smallLimits = {
  catalog_key_reads: 3,
  catalog_key_writes: 2,
  catalog_brand: 10,
  analytics_key: 5,
  analytics_brand: 0,
};
