import type { TSchema } from 'typebox';

/**
 * Differences between an object's published schema and the one that validates it. Client generators interpret
 * the two differently [D45].
 */

type Json = Record<string, unknown>;
type Properties = Readonly<Record<string, TSchema>>;

/**
 * Returns whether the property is `Prohibited`. Generators would turn it into an optional field of any type, which
 * clients would then send.
 */
export function isProhibited({ not }: { not?: object }): boolean {
  return not !== undefined && Object.keys(not).length === 0;
}

/**
 * Lists the prohibited properties in the published description, since they are not published as properties.
 */
export function withProhibitionsTold(schema: { properties?: Properties }, published: Json): Json {
  const prohibited = Object.entries(schema.properties ?? {}).filter(([, property]) => isProhibited(property));
  if (prohibited.length === 0) return published;
  const sentences = prohibited.map(([name, property]) => {
    const { description = '' } = property as { description?: string };
    return `\`${name}\` is not accepted: ${description.replace(/^Prohibited: /, '')}`;
  });
  return { ...published, description: joined(published['description'], sentences.join(' ')) };
}

/**
 * Moves a property's default into its description: generators turn a property with a default into a required
 * field, in request bodies too.
 */
export function withDefaultTold(property: TSchema): TSchema {
  const { default: value, ...rest } = property as { default?: unknown; description?: string };
  if (value === undefined) return property;
  return {
    ...rest,
    description: joined(rest.description, `Default: \`${JSON.stringify(value)}\`.`),
  } as TSchema;
}

/** Marks an object without described properties as open: generators take it for an empty object otherwise. */
export function asOpenObject(published: Json): Json {
  const { type, properties = {}, additionalProperties } = published;
  const isObject = [type].flat().includes('object');
  if (!isObject || additionalProperties !== undefined || Object.keys(properties as object).length > 0)
    return published;
  return { ...published, additionalProperties: true };
}

function joined(description: unknown, more: string): string {
  return typeof description === 'string' ? `${description} ${more}` : more;
}
