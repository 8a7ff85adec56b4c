import type { TSchema } from 'typebox';
import { publishedForms, standardFormats } from './published-formats.ts';
import { asOpenObject, isProhibited, withDefaultTold, withProhibitionsTold } from './published-objects.ts';

type Json = Record<string, unknown>;

/** Named schemas of the document, by the name that generated code uses. */
export type NamedSchemas = Readonly<Record<string, TSchema>>;

/** Converts the schemas of routes to those of the document. */
export interface SchemaPublisher {
  /** Publishes a schema of an operation, with references to named schemas. */
  schema(schema: TSchema): Json;
  /** Builds `components.schemas`: every named schema, with references to its named parts. */
  components(): Record<string, Json>;
}

const schemaKeywords = new Set(['items', 'additionalProperties', 'not', 'propertyNames', 'contains']);
const listKeywords = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);

/**
 * Schemas are identified by content, not by object identity: an equal list, or a field that was made
 * optional, is still recognised as the named schema.
 * @throws Error if two names have the same schema, or a schema has a format without a published form.
 */
export function schemaPublisher(named: NamedSchemas): SchemaPublisher {
  const names = new Map<string, string>();
  for (const [name, schema] of Object.entries(named)) {
    const text = JSON.stringify(schema);
    if (names.has(text)) throw new Error(`${names.get(text)} and ${name} are the same schema.`);
    names.set(text, name);
  }

  function publish(schema: unknown): unknown {
    if (typeof schema !== 'object' || schema === null) return schema;
    const name = names.get(JSON.stringify(schema));
    return name === undefined ? publishParts(schema) : { $ref: `#/components/schemas/${name}` };
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
    components: () => mapValues(named, publishParts),
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
