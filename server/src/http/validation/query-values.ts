import type { TSchema } from 'typebox';

/**
 * Converts the strings of a query to the types of the schema's properties. One that cannot be converted is kept, so that the
 * schema's own check returns 422 [platform-37]. Parameters that the schema does not name are dropped.
 */
export function readQueryValues(
  raw: Readonly<Record<string, unknown>>,
  schema: TSchema,
): Record<string, unknown> {
  const { properties } = schema as { properties?: Record<string, PropertySchema> };
  const values: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(properties ?? {})) {
    if (!Object.hasOwn(raw, name)) continue;
    const value = raw[name];
    values[name] = typeof value === 'string' ? readValue(value, property) : value;
  }
  return values;
}

interface PropertySchema {
  readonly type?: string;
  readonly format?: string;
}

function readValue(text: string, { type, format }: PropertySchema): unknown {
  if (type === 'boolean') return booleans.get(text) ?? text;
  // A number represents at most 15 digits exactly; as a page number, a longer one is as far away as this one.
  if (type === 'integer' && /^-?\d+$/.test(text))
    return text.length > 15 ? Math.sign(Number(text)) * Number.MAX_SAFE_INTEGER : Number(text);
  if (format === 'date-time') return text.replace(/ (?=\d{2}:?\d{2}$)/, '+');
  return text;
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);
