import { type Static, type TProperties, type TSchema, type TSchemaOptions, Type } from 'typebox';

/** Ids of the documents' examples, which the demo brand has [D45]. All other ids are random. */
export const exampleIds = {
  /** `TEE-001`, a product with variants. */
  product: 'V1StGXR8_Z5jdHi6B-myT',
  /** `TEE-001-red-m`, which has stock. */
  variant: 'Uakgb_J5m9g-0JDMbcJqL',
  /** `TEE-001-blue-s`, which has none and may be deleted. */
  spareVariant: 'r9pQ2mXc7VbN4kLsT0wYz',
  feed: 'q3Zt8Wm_Ks1vXb-D4nRyH',
  /** The job that applies the feed; kept for a day after completion. */
  job: '0f7c1a52-6a0e-4f0c-9a53-3f1d2d0b7c11',
  /** A key with an unknown secret: for examples that read, rotate, revoke and delete keys. */
  key: 'tuk_0123456789abcdef01234567',
  /** The request that is recorded with the opening stock of the variant. */
  request: '7f4df7c4-6d5e-4d0a-9d3c-0c5f6c1f6a55',
} as const;

/**
 * An object that the reference and generated clients know by a name. Never rename a published one. The bodies of all operations
 * have a name; a part of a body has one if it occurs in several, or if clients pass it on.
 */
export function NamedObject<P extends TProperties>(
  name: string,
  properties: P,
  options: TSchemaOptions = {},
) {
  return Type.Object(properties, { ...options, $id: name });
}

/** Schemas of request values. Lengths count code points, as in PostgreSQL. `http/validation/formats.ts` has the formats. */

interface TextOptions extends TSchemaOptions {
  readonly min?: number;
  readonly max: number;
}

/** A string of `min` (default 1) to `max` code points that PostgreSQL can store. */
export function Text({ min = 1, max, ...options }: TextOptions) {
  return Type.String({ minLength: min, maxLength: max, format: 'storable-text', ...options });
}

/** Like `Text`, without white space at either end [platform-34]. */
export function TrimmedText({ min = 1, max, ...options }: TextOptions) {
  return Type.String({ minLength: min, maxLength: max, format: 'trimmed-text', ...options });
}

/** A date-time with an offset; the handler reads it with `parseInstant`. */
export function Instant(options: TSchemaOptions = {}) {
  return Type.String({ format: 'date-time', ...options });
}

/** A calendar day or a date-time with an offset; the handler reads it with `firstInstantOf` or `lastInstantOf`. */
export function DayOrInstant(options: TSchemaOptions = {}) {
  return Type.String({ format: 'day-or-instant', ...options });
}

/** Options of a field of money; `description` comes before what the reference says at each of them. */
interface MoneyOptions {
  readonly description?: string;
}

/** A price in a request: 0 to 99,999,999,999.9999, at most four decimal places [platform-39]. */
export function Money({ description = '' }: MoneyOptions = {}) {
  const limits =
    'At most 4 decimal places. The number is read as an IEEE 754 double: digits that a double cannot hold are not seen (`1.00000000000000001` is 1), and a computed double such as `11.120000000000001` is refused, so round computed prices to 4 places before you send them.';
  return Type.Number({
    minimum: 0,
    maximum: 99_999_999_999.9999,
    format: 'money',
    description: `${description} ${limits}`.trim(),
  });
}

/** A price in a response [platform-39]. */
export function ShownMoney({ description = '' }: MoneyOptions = {}) {
  const limits = 'At most 4 decimal places; the shortest text of the IEEE 754 double is the exact price.';
  return Type.Number({ description: `${description} ${limits}`.trim() });
}

export function Currency(options: TSchemaOptions = {}) {
  return Type.String({ format: 'iso-4217', ...options });
}

/** A BCP 47 language tag, kept as it was sent. */
export function LanguageTag(options: TSchemaOptions = {}) {
  return Type.String({ format: 'bcp-47', maxLength: 35, ...options });
}

/** A filter by an exact string: every string is valid, even one that nothing can match. */
export function ExactFilter(options: TSchemaOptions = {}) {
  return Type.Optional(Type.String({ format: 'storable-text', ...options }));
}

export const ActiveFilter = Type.Optional(
  Type.Boolean({ description: '`true`: only active; `false`: only inactive.', examples: [true] }),
);

/** The same schema, or null. One `type` list instead of a union: an invalid value then has one message, not three. */
export function Nullable<T extends TSchema>(schema: T, options: TSchemaOptions = {}) {
  const { $id: _, ...unnamed } = schema as { $id?: string; type?: string };
  return Type.Unsafe<Static<T> | null>({ ...unnamed, ...options, type: [unnamed.type, 'null'] });
}

/** Null in this version and an object in a later one; the published type allows both. */
export function ReservedObject(description: string) {
  return Type.Unsafe<null>({ type: ['object', 'null'], additionalProperties: true, description });
}

/** A field that must not be sent: `reason` says why. */
export function Prohibited(reason: string) {
  return Type.Optional(Type.Unsafe<never>({ not: {}, description: `Prohibited: ${reason}` }));
}

/** A time that a source gave, in responses: like `Timestamp`, or with microseconds [catalog-122]. */
export function SourceTimestamp({
  description,
  ...options
}: TSchemaOptions & { readonly description: string }) {
  return Timestamp({
    description: `${description} Six digits after the second where it has more than three.`,
    ...options,
  });
}

/** A timestamp in responses: UTC, milliseconds, `Z` [platform-38]. */
export function Timestamp(options: TSchemaOptions = {}) {
  return Type.String({ format: 'date-time', examples: ['2026-03-01T08:30:00.000Z'], ...options });
}

/** A limit of requests as `/status` shows it. */
export const limitNow = (of: string) =>
  Type.Integer({ minimum: 0, description: `Requests per minute: ${of}; 0: not limited.` });
