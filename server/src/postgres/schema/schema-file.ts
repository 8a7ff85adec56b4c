/** A migration: runs once, in the order of the names, and never changes. */
export interface SchemaFile {
  /** Path below the folder of the line, without `.sql` and, for a migration, without `migrations/`. */
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the file, hexadecimal. */
  readonly checksum: string;
}

/** All schema files of this version. */
export interface SchemaFiles {
  readonly migrations: readonly SchemaFile[];
  /** Views and routines, each after the ones that it names. A changed file is applied again. */
  readonly objects: readonly SchemaFile[];
  /** The number of this state of views and routines; a newer version has a higher one. */
  readonly revision: number;
}
