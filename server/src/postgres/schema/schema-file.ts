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

/** The name of a view or routine in PostgreSQL: `views/variant-stock` creates `variant_stock`. */
export function sqlNameOf(file: string): string {
  return file.slice(file.indexOf('/') + 1).replaceAll('-', '_');
}

/** Sorts views and routines so that each follows those that its SQL names. @throws Error on a circle */
export function orderObjects(objects: readonly SchemaFile[]): SchemaFile[] {
  const words = new Map(objects.map((object) => [object, wordsOf(object.sql)]));
  const ordered = new Set<SchemaFile>();
  const place = (object: SchemaFile, path: readonly SchemaFile[]) => {
    if (ordered.has(object)) return;
    if (path.includes(object))
      throw new Error(
        `Views or routines name each other: ${[...path, object].map((o) => o.name).join(' -> ')}.`,
      );
    for (const other of objects)
      if (other !== object && words.get(object)?.has(sqlNameOf(other.name))) place(other, [...path, object]);
    ordered.add(object);
  };
  for (const object of objects) place(object, []);
  return [...ordered];
}

function wordsOf(sql: string): Set<string> {
  return new Set(sql.replaceAll(/--.*$/gm, '').match(/\w+/g));
}

/** The database does not fit the schema files of this version. The message is for the operator: what to do. */
export class MigrationError extends Error {}
