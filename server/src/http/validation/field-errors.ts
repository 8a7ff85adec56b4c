import type { FastifySchemaValidationError } from 'fastify';
import { ApiError } from '../../errors/api-error.ts';
import { moneyFormat, textFormats } from './formats.ts';

/** At most this many fields are listed [platform-18]. */
const maxFields = 100;

/** A problem that the validator has found, with the value that has it. */
export type Finding = FastifySchemaValidationError & { readonly data?: unknown };

/** Converts the validator's findings to `validation_failed`. `part` names the whole body, query or path. */
export function validationFailed(findings: readonly Finding[], part: string): ApiError {
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

function messageOf({ keyword, params, message, data }: Finding): string {
  const { format, limit } = params as { format?: string; limit?: number };
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'not':
      return 'is prohibited';
    case 'format':
      return format === 'money'
        ? moneyFormat.message(data as number)
        : (textFormats[format ?? '']?.message ?? 'is malformed');
    case 'type':
      return `must be ${typeName((params as { type: string | string[] }).type)}`;
    case 'minLength':
      return limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`;
    case 'maxLength':
      return `must have at most ${limit} characters`;
    case 'minItems':
      return `must have at least ${limit} ${limit === 1 ? 'item' : 'items'}`;
    case 'maxItems':
      return `must have at most ${limit} ${limit === 1 ? 'item' : 'items'}`;
    case 'minimum':
      return `must be at least ${limit}`;
    case 'maximum':
      return `must be at most ${limit}`;
    case 'enum':
      return `must be one of ${(params as { allowedValues: unknown[] }).allowedValues.join(', ')}`;
    case 'additionalProperties':
      return 'is not allowed';
    case 'pattern':
      return findPatternMessage((params as { pattern: string }).pattern) ?? 'is malformed';
    default:
      return message ?? 'is not valid';
  }
}

const articles: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'a boolean',
  object: 'an object',
  array: 'an array',
  null: 'null',
};

function typeName(type: string | string[]): string {
  return [type]
    .flat()
    .map((name) => articles[name] ?? name)
    .join(' or ');
}

/**
 * The messages for values that do not match a pattern: a client cannot be expected to read a regular expression [platform-18]. A
 * test finds patterns of the published documents that are missing here.
 */
const messages: Readonly<Record<string, string>> = {
  '^[\\x21-\\x7e]+$': 'must contain only visible ASCII characters, without spaces',
  '^[A-Za-z0-9_-]{21}$': 'must be 21 characters of A-Z, a-z, 0-9, "_" and "-"',
  '^[A-Za-z0-9_-]{1,64}$': 'must be 1 to 64 characters of A-Z, a-z, 0-9, "_" and "-"',
  '^[A-Za-z0-9._-]{1,128}$': 'must be 1 to 128 characters of A-Z, a-z, 0-9, ".", "_" and "-"',
  '^[a-zA-Z0-9._-]+$': 'must contain only A-Z, a-z, 0-9, ".", "_" and "-"',
  '^[A-Za-z0-9._~-]+$': 'must contain only A-Z, a-z, 0-9, ".", "_", "~" and "-"',
  '^[a-z_]{1,32}$': 'must be 1 to 32 characters of a-z and "_"',
  '^[0-9]{1,15}-[0-9]{1,9}$': 'must be a value that a response had in `refused_next`',
  '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$': 'must be a UUID',
  '^[1-9][0-9]{0,14}$': 'must be a positive whole number',
};

/** Returns the message for a value that does not match; undefined for a pattern that is not published. */
export function findPatternMessage(pattern: string): string | undefined {
  return messages[pattern];
}
