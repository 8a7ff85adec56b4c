import type { TSchema } from 'typebox';

type Node = Readonly<Record<string, unknown>>;

const schemaKeywords = new Set(['items', 'additionalProperties', 'propertyNames', 'contains']);
const listKeywords = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const mapKeywords = new Set(['properties', 'patternProperties']);

/**
 * Adds the rule that PostgreSQL can store every string of the schema, and every key of its maps [platform-32]
 * [D47]. Every request schema passes through here, so no field can lack the rule. Strings with another
 * format, an enum or a const are left alone: none of those accepts U+0000 or a lone surrogate.
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
