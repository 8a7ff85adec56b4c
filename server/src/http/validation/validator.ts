import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { notFound } from '../../errors/api-error.ts';
import { validationFailed } from './field-errors.ts';
import { moneyFormat, textFormats } from './formats.ts';
import { readQueryValues } from './query-values.ts';

/**
 * Compiles request schemas. Values are never converted (a price of "12" is an error), except in query strings, where
 * all is text; unknown keys are ignored; all problems are found, not only the first. The thrown error is the
 * contract's `validation_failed`.
 */
export function createValidatorCompiler(): FastifySchemaCompiler<TSchema> {
  const ajv = new Ajv2020({
    allErrors: true,
    coerceTypes: false,
    removeAdditional: false,
    useDefaults: false,
    strict: false,
    validateSchema: false,
  });
  for (const [name, { validate }] of Object.entries(textFormats)) ajv.addFormat(name, validate);
  ajv.addFormat('money', { type: 'number', validate: moneyFormat.validate });

  return ({ schema, httpPart }) => {
    const check = ajv.compile(schema);
    if (httpPart === 'querystring')
      return (raw) => result(check, readQueryValues(raw as Record<string, unknown>, schema), 'query');
    // A path parameter of the wrong shape names nothing that exists.
    if (httpPart === 'params') return (value) => (check(value) ? { value } : { error: notFound() });
    return (value) => result(check, value, 'body');
  };
}

function result(check: ValidateFunction, value: unknown, part: string) {
  return check(value) ? { value } : { error: validationFailed(check.errors ?? [], part) };
}
