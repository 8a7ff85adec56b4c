/** A schema with its own files and bookkeeping. */
export interface SchemaLine {
  /** Holds `migrations/`, `views/`, `routines/` and `revision.txt`. */
  readonly folder: URL;
  /** The PostgreSQL schema of its objects and bookkeeping tables. */
  readonly schema: string;
}

/** The main database: brands, access, catalog, stock, feeds, directory. */
export const mainSchema: SchemaLine = {
  folder: new URL('../../../database/main/', import.meta.url),
  schema: 'public',
};

/** The analytics store, which may be another database. */
export const analyticsSchema: SchemaLine = {
  folder: new URL('../../../database/analytics/', import.meta.url),
  schema: 'analytics',
};
