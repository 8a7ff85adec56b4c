import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { validationFailed } from './field-errors.ts';
import { moneyFormat, textFormats } from './formats.ts';
import { readQueryValues } from './query-values.ts';

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
 * U+0000 or a lone surrogate.
 */
export function withStorableText(schema: TSchema): TSchema {
  return storable(schema as Node) as TSchema;
}

function storable(schema: Node): Node {
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
