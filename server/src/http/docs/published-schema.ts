import type { TSchema } from 'typebox';

/** The published replacement of a format that only Brandport's own validator knows. */
interface PublishedForm {
  readonly description?: string;
  readonly pattern?: string;
}

/** Formats of `http/validation/formats.ts` that tools do not know. The patterns accept all that the validator accepts. */
export const publishedForms: Readonly<Record<string, PublishedForm>> = {
  'storable-text': {},
  'trimmed-text': { pattern: '^\\S(?:[\\s\\S]*\\S)?$' },
  'path-segment': {},
  opaque: {},
  'day-or-instant': {
    description:
      'A day, such as `2026-03-01`, or a date-time with an offset, such as `2026-03-01T08:30:00Z`.',
    pattern: '^\\d{4}-\\d{2}-\\d{2}(?:[Tt].+)?$',
  },
  money: {},
  'iso-4217': { description: 'ISO 4217 currency code.', pattern: '^[A-Z]{3}$' },
  'bcp-47': {
    description: 'BCP 47 language tag, such as `en` or `pt-BR`.',
    pattern: '^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})+$|^[A-Za-z]{2,8}$',
  },
};

/** Formats of JSON Schema, which are published unchanged. */
export const standardFormats: ReadonlySet<string> = new Set(['date-time', 'date', 'uri', 'uuid']);

type Json = Record<string, unknown>;

export interface SchemaPublisher {
  /**
   * Publishes a schema of an operation, with references to the named ones in it (`NamedObject`).
   * @throws Error if two different schemas have one name, or one has a format without a published form
   */
  schema(schema: TSchema): Json;
  /** Returns `components.schemas`: the named schemas that were referred to, by name. */
  components(): Record<string, Json>;
}

const schemaKeywords = new Set(['items', 'additionalProperties', 'not', 'propertyNames', 'contains']);
const listKeywords = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);

export function schemaPublisher(): SchemaPublisher {
  const named = new Map<string, { readonly text: string; readonly published: Json }>();

  function publish(schema: unknown): unknown {
    if (typeof schema !== 'object' || schema === null) return schema;
    const { $id: name, ...unnamed } = schema as { $id?: string };
    if (name === undefined) return publishParts(schema);
    const text = JSON.stringify(unnamed);
    const known = named.get(name);
    // By content: a field that was made optional is a copy, and still the named schema.
    if (known !== undefined && known.text !== text) throw new Error(`Two schemas are called ${name}.`);
    if (known === undefined) named.set(name, { text, published: publishParts(unnamed) });
    return { $ref: `#/components/schemas/${name}` };
  }

  function publishParts(schema: object): Json {
    const parts = Object.entries(schema).map(([keyword, value]) => [keyword, publishPart(keyword, value)]);
    return asOpenObject(withProhibitionsTold(schema, withoutInternalFormat(Object.fromEntries(parts))));
  }

  function publishPart(keyword: string, value: unknown): unknown {
    if (schemaKeywords.has(keyword)) return publish(value);
    if (listKeywords.has(keyword)) return (value as unknown[]).map(publish);
    if (keyword === 'properties') return publishProperties(value as Readonly<Record<string, TSchema>>);
    return value;
  }

  function publishProperties(properties: Readonly<Record<string, TSchema>>): Json {
    const allowed = Object.entries(properties).filter(([, property]) => !isProhibited(property));
    return mapValues(Object.fromEntries(allowed), (property) => publish(withDefaultTold(property)));
  }

  return {
    schema: (schema) => publish(schema) as Json,
    components: () => {
      const inOrder = [...named].sort(([a], [b]) => (a < b ? -1 : 1));
      return Object.fromEntries(inOrder.map(([name, { published }]) => [name, published]));
    },
  };
}

function withoutInternalFormat({ format, ...schema }: Json): Json {
  if (format === undefined) return schema;
  if (standardFormats.has(format as string)) return { ...schema, format };
  const form = publishedForms[format as string];
  if (form === undefined) throw new Error(`The format ${format} has no published form.`);
  return { ...form, ...schema };
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}

/** Client generators interpret a published schema differently from the one that validates [D45]. */
type Properties = Readonly<Record<string, TSchema>>;

/** Returns whether the property is `Prohibited`: generators would turn it into an optional field of any type. */
function isProhibited({ not }: { not?: object }): boolean {
  return not !== undefined && Object.keys(not).length === 0;
}

function withProhibitionsTold(schema: { properties?: Properties }, published: Json): Json {
  const prohibited = Object.entries(schema.properties ?? {}).filter(([, property]) => isProhibited(property));
  if (prohibited.length === 0) return published;
  const sentences = prohibited.map(([name, property]) => {
    const { description = '' } = property as { description?: string };
    return `\`${name}\` is not accepted: ${description.replace(/^Prohibited: /, '')}`;
  });
  return { ...published, description: joined(published['description'], sentences.join(' ')) };
}

/** Moves a property's default into its description: generators turn a property with a default into a required field. */
function withDefaultTold(property: TSchema): TSchema {
  const { default: value, ...rest } = property as { default?: unknown; description?: string };
  if (value === undefined) return property;
  return {
    ...rest,
    description: joined(rest.description, `Default: \`${JSON.stringify(value)}\`.`),
  } as TSchema;
}

/** Marks an object without described properties as open: generators take it for an empty object otherwise. */
function asOpenObject(published: Json): Json {
  const { type, properties = {}, additionalProperties } = published;
  const isObject = [type].flat().includes('object');
  if (!isObject || additionalProperties !== undefined || Object.keys(properties as object).length > 0)
    return published;
  return { ...published, additionalProperties: true };
}

function joined(description: unknown, more: string): string {
  return typeof description === 'string' ? `${description} ${more}` : more;
}
