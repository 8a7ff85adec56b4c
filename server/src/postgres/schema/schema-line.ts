import type { Applied } from './schema-history.ts';

/** A schema with its own files and bookkeeping. */
export interface SchemaLine {
  /** Holds `migrations/`, `views/`, `routines/` and `revision.txt`. */
  readonly folder: URL;
  /** The PostgreSQL schema of its objects and bookkeeping tables. */
  readonly schema: string;
  /**
   * The last of the migrations that the first one replaced [D79]. A database with one of them is taken over: those after it
   * run from `replaced/`, and then it has the schema of the first one.
   */
  readonly replaced: readonly Applied[];
}

/** The main database: brands, access, catalog, stock, feeds, directory. */
export const mainSchema: SchemaLine = {
  folder: new URL('../../../database/main/', import.meta.url),
  schema: 'public',
  replaced: [
    {
      name: '0014-cells',
      checksum: 'a37768d9ad969fd7ea4a7db2b33d6ac470e9a2b63608a2e24605d1334aa4feb9',
    },
    {
      name: '0015-brand-stocks',
      checksum: '2eebcea3334e3a0f7105e31d0f9bdc96d412c1a26092e8dfdeeb7c0819f49f8f',
    },
    {
      name: '0016-feed-packs',
      checksum: '5a804cc22b64edd91d7b4006ce66a567e4d12aecdbfbdbe88993f0c64cbbe6d3',
    },
  ],
};

/** The analytics store, which may be another database. */
export const analyticsSchema: SchemaLine = {
  folder: new URL('../../../database/analytics/', import.meta.url),
  schema: 'analytics',
  replaced: [
    {
      name: '0006-totals-marks',
      checksum: '19d50c2d9926bf194fb29c76cb51ce2db9ca57cdedbae115762d0bb856c37c04',
    },
  ],
};
