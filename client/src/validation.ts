import { messageOf } from './generated/field-messages.ts';
import { moneyFormat, textFormats } from './generated/formats.ts';
import { parseInstant } from './generated/instant.ts';
import { type BodyName, type Schema, schemas } from './generated/schemas.ts';
import { sizeKeywords } from './generated/sizes.ts';

/** A part of a body that the service would refuse. */
export interface BodyProblem {
  /** The names and indexes that lead to the part; empty for the body itself. */
  readonly path: readonly (string | number)[];
  /** The message of the service, such as `must be at least 0`. */
  readonly message: string;
}

/** A feed line may be dated this far ahead of the server's clock. */
const mostAheadMs = 24 * 3_600_000;

/**
 * Returns what the service would refuse of a body, by its own schemas: none for a body that has the right form. What depends
 * on the catalog, such as an SKU that is in use, only the service knows. Unknown names are no problem, as for the service.
 * @param now milliseconds since the epoch, to which the time of a feed line is compared
 */
export function bodyProblems(name: BodyName, body: unknown, now: number = Date.now()): BodyProblem[] {
  const problems: BodyProblem[] = [];
  check(schemas[name], body, [], problems);
  if (name === 'FeedLine') {
    const { updated_at: time } = (body ?? {}) as { readonly updated_at?: unknown };
    const at = typeof time === 'string' ? parseInstant(time)?.getTime() : undefined;
    if (at !== undefined && at > now + mostAheadMs)
      problems.push({ path: ['updated_at'], message: 'must be at most 24 hours ahead of the server’s time' });
  }
  return problems;
}

type Path = BodyProblem['path'];

function check(schema: Schema, value: unknown, path: Path, found: BodyProblem[]): void {
  const fail = (keyword: string, params: object = {}, at: Path = path) =>
    found.push({ path: at, message: messageOf({ keyword, params, data: value }) });
  if (schema.not !== undefined) fail('not');
  const types = [schema.type ?? []].flat();
  if (types.length > 0 && !types.some((type) => isOfType(type, value))) fail('type', { type: schema.type });
  if (schema.enum !== undefined && !schema.enum.includes(value)) fail('enum', { allowedValues: schema.enum });
  if (typeof value === 'string') checkText(schema, value, fail);
  else if (typeof value === 'number') checkNumber(schema, value, fail);
  else if (Array.isArray(value)) {
    const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, items } = schema;
    if (value.length < minItems) fail('minItems', { limit: minItems });
    if (value.length > maxItems) fail('maxItems', { limit: maxItems });
    checkSizes(schema, value, fail);
    if (items !== undefined)
      for (const [index, item] of value.slice(0, maxItems).entries())
        check(items, item, [...path, index], found);
  } else if (typeof value === 'object' && value !== null) {
    const given = value as Readonly<Record<string, unknown>>;
    for (const name of schema.required ?? [])
      if (given[name] === undefined) fail('required', {}, [...path, name]);
    const { maxProperties = Number.POSITIVE_INFINITY } = schema;
    if (Object.keys(given).length > maxProperties) {
      fail('maxProperties', { limit: maxProperties });
      return;
    }
    checkSizes(schema, given, fail);
    for (const [name, part] of Object.entries(given)) {
      const at = [...path, name];
      const own = schema.properties !== undefined && Object.hasOwn(schema.properties, name);
      const partSchema = own ? schema.properties?.[name] : schema.additionalProperties;
      if (schema.propertyNames !== undefined) check(schema.propertyNames, name, at, found);
      if (partSchema !== undefined && part !== undefined) check(partSchema, part, at, found);
    }
  }
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return Number.isFinite(value);
    default:
      return typeof value === type;
  }
}

type Fail = (keyword: string, params?: object) => void;

function checkSizes(schema: Schema, value: object, fail: Fail): void {
  for (const [keyword, { measure }] of Object.entries(sizeKeywords)) {
    const limit = schema[keyword as 'x-maxValues' | 'x-maxTextBytes'];
    if (limit !== undefined && measure(value) > limit) fail(keyword, { limit });
  }
}

/** Lengths count code points, as the service does. */
function checkText(schema: Schema, text: string, fail: Fail): void {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format } = schema;
  const length = text.length <= maxLength && text.length >= 2 * minLength ? minLength : [...text].length;
  if (length < minLength) fail('minLength', { limit: minLength });
  if (length > maxLength) fail('maxLength', { limit: maxLength });
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(text)) fail('pattern', { pattern });
  if (format !== undefined && textFormats[format]?.validate(text) === false) fail('format', { format });
}

function checkNumber(schema: Schema, value: number, fail: Fail): void {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY, format } = schema;
  if (value < minimum) fail('minimum', { limit: minimum });
  if (value > maximum) fail('maximum', { limit: maximum });
  if (format === 'money' && !moneyFormat.validate(value)) fail('format', { format });
}
