import type { TSchema } from 'typebox';
import { nearestName } from '../lib/nearest-name.ts';

export interface UnknownName {
  /** Dotted, with indexes: `lines.0.qty`. At most 500 characters, as in errors. */
  readonly path: string;
  readonly name: string;
  /** The names that its object may have. */
  readonly known: readonly string[];
}

/** The unknown names in a value, in order, at most `limit` of them. */
export type UnknownNameFinder = (value: unknown, limit: number) => UnknownName[];

export interface UnknownNameReport {
  /** True if the operation must refuse them (`Prefer: handling=strict`) [platform-28]. */
  readonly isStrict: boolean;
  /** Has the response list them. */
  ignored(names: readonly UnknownName[]): void;
}

/** Reports nothing: for a body that no client has sent. */
export const noReport: UnknownNameReport = { isStrict: false, ignored: () => {} };

/** Number of unknown names that are reported: in `X-Ignored`, and in the errors of strict handling. */
export const maxIgnored = 20;
export const maxRefused = 100;

type Path = (string | number)[];
/** Adds the unknown names of a value to `found`; `path` is modified and restored. */
type Visit = (value: unknown, path: Path, found: UnknownName[], limit: number) => void;

/**
 * Compiles a finder of unknown names from a schema; without one, every name is unknown. It costs one look-up per field if
 * everything is known, and never descends into unknown fields. `dropped`: names of the outermost object to ignore. Prohibited
 * fields, and objects that refuse unknown keys, are left to the schema.
 */
export function unknownNameFinder(
  schema: TSchema | undefined,
  dropped: readonly string[] = [],
): UnknownNameFinder {
  const visit = visitObject((schema ?? {}) as Node, dropped);
  return (value, limit) => {
    const found: UnknownName[] = [];
    visit(value, [], found, limit);
    return found;
  };
}

type Node = Readonly<Record<string, unknown>>;

function visitOf(schema: Node): Visit | null {
  const types = [schema['type']].flat();
  if (types.includes('object')) return visitObject(schema, []);
  const items = types.includes('array') ? visitOf((schema['items'] ?? {}) as Node) : null;
  return items === null ? null : visitArray(items);
}

function visitArray(visitItem: Visit): Visit {
  return (value, path, found, limit) => {
    if (!Array.isArray(value)) return;
    for (let index = 0; index < value.length && found.length < limit; index += 1) {
      path.push(index);
      visitItem(value[index], path, found, limit);
      path.pop();
    }
  };
}

function visitObject(schema: Node, dropped: readonly string[]): Visit {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Node>);
  const known = properties.filter(([, property]) => property['not'] === undefined).map(([name]) => name);
  const visits = new Map<string, Visit | null>(
    properties.map(([name, property]) => [name, visitOf(property)]),
  );
  for (const name of dropped) visits.set(name, null);
  const { additionalProperties: rest } = schema;
  // Either a map, whose keys are all known and whose values have a shape, or an object that refuses unknown keys itself.
  const restVisit = typeof rest === 'object' && rest !== null ? visitOf(rest as Node) : null;
  const isClosed = rest !== undefined;
  // The schema refuses a map with more entries, of which none is unknown [D292].
  const mostEntries = isClosed ? Number(schema['maxProperties'] ?? Infinity) : Infinity;
  return (value, path, found, limit) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    if (mostEntries !== Infinity && Object.keys(value).length > mostEntries) return;
    for (const name in value) {
      if (found.length >= limit) return;
      let visit = visits.get(name);
      if (visit === undefined) {
        if (!isClosed) {
          found.push(unknownName([...path, name], name, known));
          continue;
        }
        visit = restVisit;
      }
      if (visit === null) continue;
      path.push(name);
      visit((value as Node)[name], path, found, limit);
      path.pop();
    }
  };
}

export function unknownName(path: Path, name: string, known: readonly string[]): UnknownName {
  return { path: path.join('.').slice(0, 500), name, known };
}

/** The message for an unknown name under strict handling, such as `is not a known field; did you mean "title"?`. */
export function unknownNameMessage({ name, known }: UnknownName, what = 'field'): string {
  const nearest = nearestName(name, known);
  if (nearest === null) return `is not a known ${what}`;
  return nearest.isClose
    ? `is not a known ${what}; did you mean "${nearest.name}"?`
    : `is not a known ${what}; the nearest one is "${nearest.name}"`;
}
