import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { validationFailed } from './field-errors.ts';
import { moneyFormat, textFormats } from './formats.ts';
import { readQueryValues } from './query-values.ts';
import { withStorableText } from './storable-schema.ts';

/**
 * Compiles request schemas. Values are never converted (a price of "12" is an error), except in query strings, where
 * every value is a string; unknown keys are ignored; every string must be storable; all problems are reported, not
 * only the first. The thrown error is `validation_failed`.
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
 * Checks whether path parameters can name anything: a string of the wrong shape names nothing. Separate from
 * the compiled schemas, because those of a path would be checked before the body's, and existence comes after
 * it [platform-11].
 */
export function createPathCheck(schema: TSchema): (params: unknown) => boolean {
  return (params) => compile(schema)(params);
}

/**
 * The compiled checks by schema. Each is compiled by its first request, in a few milliseconds: for all of them, that
 * would be the largest part of creating the apps.
 */
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
