import type { TSchema } from 'typebox';
import type { AnyOperation } from '../../../api/operation.ts';

/** A body with one hostile value in it, as JSON text, and the field that has to be named. */
export interface HostileBody {
  readonly text: string;
  readonly field: string;
  /** The value that was sent, for failure messages. */
  readonly value: string;
  /** Not wrong for the schema, such as a long text where any length is a question. */
  readonly mayBeTaken: boolean;
}

type Node = Readonly<Record<string, unknown>>;
type Path = readonly (string | number)[];

interface Place {
  readonly path: Path;
  readonly schema: Node;
  /** True if it is the key of a map and not a value. */
  readonly isKey: boolean;
}

/** Values by the JSON type that they do not have: what a field of another type has to refuse. */
const wrongTypes: Readonly<Record<string, readonly string[]>> = {
  string: ['7', 'true', '[]', '{}', '["a"]', 'null'],
  number: ['"7"', 'true', '[]', '{}', 'null', '""'],
  integer: ['"7"', 'true', '[]', '{}', 'null', '1.5', '""'],
  boolean: ['"true"', '1', '0', '[]', '{}', 'null', '""'],
  object: ['7', '"a"', 'true', '[]', 'null'],
  array: ['7', '"a"', 'true', '{}', 'null'],
};
const unstorable = ['\\u0000', 'a\\u0000', '\\u0000a', '\\ud800', 'a\\udc00', '\\udfff\\ud800'];
const numbers = ['1e308', '-1e308', '1e400', '-1', '2147483648', '9007199254740993', '1e-320', '-0'];
/** Longer than any text may be, and shorter than a body may be with the rest. */
const megabyte = 'x'.repeat(1_000_000);

/** Every hostile body that an operation's schema suggests, made from a body that it would take. */
export function hostileBodies({ body: schema }: AnyOperation, example: unknown): HostileBody[] {
  if (schema === undefined) return [];
  return placesOf(schema as Node, example, []).flatMap((place) => hostileAt(place, example));
}

/** The places of a schema down to the last: of an array its first item, of a map its first key. */
function placesOf(schema: Node, example: unknown, path: Path): Place[] {
  const here: Place[] = path.length === 0 ? [] : [{ path, schema, isKey: false }];
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Node>).filter(
    ([, property]) => property['not'] === undefined,
  );
  const below = properties.flatMap(([name, property]) =>
    placesOf(property, valueAt(example, name), [...path, name]),
  );
  const { items, additionalProperties } = schema as { items?: Node; additionalProperties?: Node | boolean };
  if (items !== undefined) below.push(...placesOf(items, valueAt(example, 0), [...path, 0]));
  if (typeof additionalProperties === 'object') {
    const [key = 'de'] = Object.keys((example ?? {}) as object);
    below.push({ path: [...path, key], schema: { type: 'string', maxLength: 1 }, isKey: true });
    below.push(...placesOf(additionalProperties, valueAt(example, key), [...path, key]));
  }
  return [...here, ...below];
}

function hostileAt(place: Place, example: unknown): HostileBody[] {
  const { path, schema, isKey } = place;
  const types = [schema['type']].flat() as string[];
  const isText = types.includes('string');
  const isNumber = types.includes('integer') || types.includes('number');
  const texts = isText ? [...unstorable.map((text) => `"${text}"`), `"${megabyte}"`] : [];
  const wrong = isKey
    ? []
    : types.flatMap((type) => wrongTypes[type] ?? []).filter((text) => !fits(text, types));
  const values = [...texts, ...wrong, ...(isNumber ? numbers : [])];
  return [...new Set(values)].map((value) => ({
    text: bodyWith(example, place, value),
    field: (isKey ? [...path.slice(0, -1), JSON.parse(value)] : path).join('.').slice(0, 500),
    value: value.slice(0, 40),
    mayBeTaken: isNumber ? inRange(value, schema) : isText && value.length > 1_000 && isUnbounded(schema),
  }));
}

function fits(text: string, types: readonly string[]): boolean {
  const value = JSON.parse(text) as unknown;
  if (value === null) return types.includes('null');
  if (Array.isArray(value)) return types.includes('array');
  if (Number.isInteger(value)) return types.includes('integer') || types.includes('number');
  return types.includes(typeof value);
}

function inRange(text: string, { minimum = -Infinity, maximum = Infinity, format }: Node): boolean {
  const value = Number(text);
  if (Number.isNaN(value) || !Number.isFinite(value)) return false;
  return (
    value >= Number(minimum) && value <= Number(maximum) && !(format === 'money' && value > 0 && value < 1e-4)
  );
}

function isUnbounded({ maxLength, pattern, format, enum: allowed }: Node): boolean {
  return (
    maxLength === undefined &&
    pattern === undefined &&
    allowed === undefined &&
    (format === undefined || format === 'storable-text')
  );
}

const marker = '@hostile@';

/** The example with the marker in the place, which is then replaced by the value's JSON text: raw, as JSON allows it. */
function bodyWith(example: unknown, { path, isKey }: Place, value: string): string {
  const copy = structuredClone(example ?? {}) as object;
  let parent: unknown = copy;
  for (const [depth, step] of path.slice(0, -1).entries()) {
    const next = valueAt(parent, step);
    if (typeof next !== 'object' || next === null)
      Reflect.set(parent as object, step, typeof path[depth + 1] === 'number' ? [] : {});
    parent = valueAt(parent, step);
  }
  const last = path.at(-1) as string | number;
  if (isKey) {
    Reflect.set(parent as object, marker, valueAt(parent, last) ?? {});
    Reflect.deleteProperty(parent as object, last);
  } else Reflect.set(parent as object, last, marker);
  return JSON.stringify(copy).replace(`"${marker}"`, () => value);
}

function valueAt(value: unknown, step: string | number): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined;
}

/** A query string with one hostile value, and the parameter that has to be named; `null`: any refusal or none will do. */
export interface HostileQuery {
  readonly text: string;
  readonly field: string | null;
}

/** Every hostile query that an operation's schema suggests. */
export function hostileQueries({ query }: { query?: TSchema }): HostileQuery[] {
  const { properties = {} } = (query ?? {}) as { properties?: Record<string, Node> };
  return Object.entries(properties).flatMap(([name, { type, format, enum: allowed }]) => {
    const isFree = format === 'storable-text' && allowed === undefined;
    const zeros = [`${name}=%00`, `${name}=a%00b`];
    const wrong = [...(format === 'opaque' ? [] : zeros), `${name}=a&${name}=b`];
    const odd = [
      '%ED%A0%80',
      '%F0%9F',
      '%',
      '%zz',
      'x'.repeat(10_000),
      '1e308',
      '-0',
      '2147483648',
      '9007199254740993',
      '',
      '.',
    ];
    if (type !== 'string' || !(isFree || format === 'opaque')) wrong.push(`${name}=%7B%7D`);
    return [
      ...wrong.map((text) => ({ text, field: name })),
      ...(format === 'opaque' ? zeros : []).map((text) => ({ text, field: null })),
      ...odd.map((value) => ({ text: `${name}=${value}`, field: null })),
    ];
  });
}

/** Values of path parameters that no resource has. */
export const hostileSegments = [
  '%00',
  'a%00',
  '%ED%A0%80',
  '%F0%9F',
  'a%',
  '%zz',
  'x'.repeat(400),
  'x'.repeat(501),
  '1e308',
  '-0',
  '-1',
  '2147483648',
  '9007199254740993',
  '99999999999999999999',
  '%2F',
  '🦊',
  "'",
  '%22',
  '%5C',
  ' ',
  '%0A',
].map((segment) => encodeURI(segment).replaceAll('%25', '%'));

/** Header names with values that mean nothing, as far as a client can send them. */
export const hostileHeaders = [
  'authorization',
  'content-type',
  'idempotency-key',
  'if-none-match',
  'prefer',
  'x-request-id',
].flatMap((name) =>
  ['\u00ff\u00a0', '"\\', ',;=%00', 'x'.repeat(8_000)].map((value) => [name, value] as const),
);
