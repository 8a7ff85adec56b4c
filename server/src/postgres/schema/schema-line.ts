import type { Applied } from './schema-history.ts';

/** A schema with its own files and bookkeeping. */
export interface SchemaLine {
  /** Holds `migrations/`, `views/`, `routines/` and `revision.txt`. */
  readonly folder: URL;
  /** The PostgreSQL schema of its objects and bookkeeping tables. */
  readonly schema: string;
  /** The last of the migrations that the first one replaced; a database that has it has the same schema [D79]. */
  readonly replaced: Applied | null;
}

/** The main database: brands, access, catalog, stock, feeds, directory. */
export const mainSchema: SchemaLine = {
  folder: new URL('../../../database/main/', import.meta.url),
  schema: 'public',
  replaced: {
    name: '0016-feed-packs',
    checksum: '5a804cc22b64edd91d7b4006ce66a567e4d12aecdbfbdbe88993f0c64cbbe6d3',
  },
};

/** The analytics store, which may be another database. */
export const analyticsSchema: SchemaLine = {
  folder: new URL('../../../database/analytics/', import.meta.url),
  schema: 'analytics',
  replaced: {
    name: '0006-totals-marks',
    checksum: '19d50c2d9926bf194fb29c76cb51ce2db9ca57cdedbae115762d0bb856c37c04',
  },
};
