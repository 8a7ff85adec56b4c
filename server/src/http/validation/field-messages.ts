import { moneyFormat, textFormats } from './formats.ts';
import { sizeKeywords } from './sizes.ts';

/** A breach of a schema, as the validator describes it. */
export interface Breach {
  readonly keyword: string;
  readonly params: object;
  readonly message?: string | undefined;
  readonly data?: unknown;
}

/** Returns the message for a value that violates a keyword of its schema. The SDK has a generated copy of this file. */
export function messageOf({ keyword, params, message, data }: Breach): string {
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
      return `must have at most ${limit} ${limit === 1 ? 'item' : 'items'}, not ${(data as unknown[]).length}`;
    case 'maxProperties':
      return `must have at most ${limit} ${limit === 1 ? 'entry' : 'entries'}, not ${Object.keys(data as object).length}`;
    case 'x-maxValues':
      return `must have at most ${limit} values in all, not ${sizeKeywords[keyword]?.measure(data as object)}`;
    case 'x-maxTextBytes':
      return `must have at most ${limit} bytes of text in all (UTF-8), not ${sizeKeywords[keyword]?.measure(data as object)}`;
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
  '\\S': 'must contain a character that is not a space',
  '^[1-9][0-9]{0,14}$': 'must be a positive whole number',
};

/** Returns the message for a value that does not match; undefined for a pattern that is not published. */
export function findPatternMessage(pattern: string): string | undefined {
  return messages[pattern];
}
