import type { SchemaFile } from './schema-file.ts';

/** The name of a view or routine in PostgreSQL: `views/variant-stock` creates `variant_stock`. */
export function sqlNameOf(file: string): string {
  return file.slice(file.indexOf('/') + 1).replaceAll('-', '_');
}

/**
 * Sorts views and routines so that each follows those that its SQL names; otherwise keeps their order.
 * @throws Error if they name each other in a circle
 */
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

/** The words of the SQL, without comments. */
function wordsOf(sql: string): Set<string> {
  return new Set(sql.replaceAll(/--.*$/gm, '').match(/\w+/g));
}
