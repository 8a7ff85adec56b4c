import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { FastifySchemaCompiler, FastifySchemaValidationError } from 'fastify';
import type { TSchema } from 'typebox';
import { ApiError } from '../../errors/api-error.ts';
import { addBoundedKeywords } from './bounded-keywords.ts';
import { messageOf } from './field-messages.ts';
import { moneyFormat, textFormats } from './formats.ts';

/**
 * Converts the strings of a query to the types of the schema's properties. One that cannot be converted is kept, so that the
 * schema's own check returns 422 [platform-37]. Parameters that the schema does not name are dropped.
 */
export function readQueryValues(
  raw: Readonly<Record<string, unknown>>,
  schema: TSchema,
): Record<string, unknown> {
  const { properties } = schema as { properties?: Record<string, PropertySchema> };
  const values: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(properties ?? {})) {
    if (!Object.hasOwn(raw, name)) continue;
    const value = raw[name];
    values[name] = typeof value === 'string' ? readValue(value, property) : value;
  }
  return values;
}

interface PropertySchema {
  readonly type?: string;
  readonly format?: string;
}

function readValue(text: string, { type, format }: PropertySchema): unknown {
  if (type === 'boolean') return booleans.get(text) ?? text;
  // A number represents at most 15 digits exactly; as a page number, a longer one is as far away as this one.
  if (type === 'integer' && /^-?\d+$/.test(text))
    return text.length > 15 ? Math.sign(Number(text)) * Number.MAX_SAFE_INTEGER : Number(text);
  if (format === 'date-time') return text.replace(/ (?=\d{2}:?\d{2}$)/, '+');
  return text;
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** At most this many fields are listed [platform-18]. */
const maxFields = 100;

/** A problem that the validator has found, with the value that has it. */
type Finding = FastifySchemaValidationError & { readonly data?: unknown };

/** Converts the validator's findings to `validation_failed`. `part` names the whole body, query or path. */
function validationFailed(findings: readonly Finding[], part: string): ApiError {
  const errors = new Map<string, string[]>();
  for (const finding of findings) {
    // The finding about the key itself already reports the problem.
    if (finding.keyword === 'propertyNames') continue;
    const field = fieldOf(finding, part);
    const messages = errors.get(field);
    const message = (part === 'query' ? queryMessageOf(finding) : undefined) ?? messageOf(finding);
    if (messages !== undefined) {
      if (!messages.includes(message)) messages.push(message);
    } else if (errors.size < maxFields) errors.set(field, [message]);
  }
  return new ApiError('validation_failed', { errors: Object.fromEntries(errors) });
}

/** Names the field of a finding: `/axes/0/code`, and a missing or malformed key `code` of `/axes/0`, are all `axes.0.code`. */
function fieldOf(finding: Finding, part: string): string {
  const path = finding.instancePath.split('/').slice(1).map(unescapePointer);
  const { missingProperty, additionalProperty } = finding.params as Record<string, unknown>;
  // For a finding about a key instead of its value, the validator reports the key outside of `params`.
  const { propertyName } = finding as { propertyName?: unknown };
  for (const property of [missingProperty, propertyName, additionalProperty])
    if (typeof property === 'string') path.push(property);
  return path.length === 0 ? part : path.join('.').slice(0, 500);
}

function unescapePointer(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Returns the message for a string that a query cannot have; undefined: that of the rule. */
function queryMessageOf({ keyword, params, data }: Finding): string | undefined {
  if (Array.isArray(data)) return 'must be given once';
  const isBoolean =
    keyword === 'type' && [(params as { type: string | string[] }).type].flat().includes('boolean');
  return isBoolean ? 'must be true, false, 1 or 0' : undefined;
}

/**
 * Compiles request schemas. Values are never converted (a price of "12" is an error), except in query strings; unknown keys are
 * ignored; every string must be storable; all problems are reported. The thrown error is `validation_failed`.
 */
export function createValidatorCompiler(): FastifySchemaCompiler<TSchema> {
  return ({ schema, httpPart }) => {
    if (httpPart === 'querystring')
      return (raw) =>
        result(compile(schema), readQueryValues(raw as Record<string, unknown>, schema), 'query');
    return (value) => result(compile(schema), value, 'body');
  };
}

/**
 * Checks whether path parameters can name anything: a string of the wrong shape names nothing. Separate from the compiled
 * schemas, which would check a path before the body; existence comes after it [platform-11].
 */
export function createPathCheck(schema: TSchema): (params: unknown) => boolean {
  return (params) => compile(schema)(params);
}

/** The compiled checks. Each is compiled by its first request: all at once would dominate the start of the apps. */
const compiled = new WeakMap<TSchema, ValidateFunction>();
let ajv: Ajv2020 | undefined;

function compile(schema: TSchema): ValidateFunction {
  let check = compiled.get(schema);
  if (check === undefined) {
    ajv ??= createAjv();
    check = ajv.compile(withStorableText(schema));
    compiled.set(schema, check);
  }
  return check;
}

function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    coerceTypes: false,
    removeAdditional: false,
    useDefaults: false,
    strict: false,
    // JSON allows numbers that JavaScript cannot represent, such as 1e400: those are refused.
    strictNumbers: true,
    validateSchema: false,
    // Findings have the value, for messages that depend on it.
    verbose: true,
  });
  for (const [name, { validate }] of Object.entries(textFormats)) ajv.addFormat(name, validate);
  ajv.addFormat('money', { type: 'number', validate: moneyFormat.validate });
  addBoundedKeywords(ajv);
  return ajv;
}

function result(check: ValidateFunction, value: unknown, part: string) {
  return check(value) ? { value } : { error: validationFailed(check.errors ?? [], part) };
}

type Node = Readonly<Record<string, unknown>>;

const schemaKeywords = new Set(['items', 'additionalProperties', 'propertyNames', 'contains']);
const listKeywords = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const mapKeywords = new Set(['properties', 'patternProperties']);

/**
 * Adds the rule that PostgreSQL can store every string of the schema, and every key of its maps [platform-32] [D47]. Every
 * request schema passes through here. Strings with another format, an enum or a const are left alone: none of those accepts
 * U+0000 or a lone surrogate. Names are left out: the validator would keep the first schema of each.
 */
export function withStorableText(schema: TSchema): TSchema {
  return storable(schema as Node) as TSchema;
}

function storable({ $id: _, ...schema }: Node): Node {
  const parts = Object.entries(schema).map(([keyword, value]) => [keyword, storablePart(keyword, value)]);
  return { ...Object.fromEntries(parts), ...textRule(schema), ...keyRule(schema) };
}

function storablePart(keyword: string, value: unknown): unknown {
  if (schemaKeywords.has(keyword) && isNode(value)) return storable(value);
  if (listKeywords.has(keyword)) return (value as Node[]).map(storable);
  if (mapKeywords.has(keyword))
    return Object.fromEntries(
      Object.entries(value as Node).map(([name, part]) => [name, storable(part as Node)]),
    );
  return value;
}

function textRule({ type, format, enum: allowed, const: only }: Node): Node {
  const isText = [type].flat().includes('string');
  return isText && format === undefined && allowed === undefined && only === undefined
    ? { format: 'storable-text' }
    : {};
}

function keyRule({ additionalProperties, propertyNames }: Node): Node {
  return isNode(additionalProperties) && propertyNames === undefined
    ? { propertyNames: { format: 'storable-text' } }
    : {};
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null;
}
