import { type Html, html } from '../html.ts';
import type { DescribedSchema, Ref, ReferenceDocument } from './described-document.ts';
import { inlineMarkdown } from './markdown.ts';

/** Renders the fields of an object, or of the objects of a list, with the fields inside of them; null if it has none. */
export function schemaFields(document: ReferenceDocument, schema: Ref | DescribedSchema): Html | null {
  const object = objectWithin(document, schema);
  const fields = Object.entries(object.properties ?? {});
  if (fields.length === 0) return null;
  const items = fields.map(([name, field]) => {
    const isRequired = object.required?.includes(name) === true;
    return html`<li>${fieldSummary(document, { name, schema: field, isRequired })}${nested(document, name, field)}</li>`;
  });
  return html`<ul class="fields">${items}</ul>`;
}

export interface NamedField {
  readonly name: string;
  readonly schema: Ref | DescribedSchema;
  readonly isRequired: boolean;
  /** Default: that of the schema. */
  readonly description?: string | undefined;
}

export function fieldSummary(document: ReferenceDocument, field: NamedField): Html {
  const schema = document.schema(field.schema);
  const description = field.description ?? schema.description;
  const limits = limitsOf(schema);
  return html`<p><code class="name">${field.name}</code> <span class="type">${typeOf(document, schema)}</span>${
    field.isRequired ? html` <strong class="required">required</strong>` : null
  }</p>${description === undefined ? null : html`<p>${inlineMarkdown(description)}</p>`}${
    limits.length === 0 ? null : html`<p class="limits">${joined(limits)}</p>`
  }`;
}

function nested(document: ReferenceDocument, name: string, schema: Ref | DescribedSchema): Html | null {
  const fields = schemaFields(document, schema);
  if (fields === null) return null;
  return html`<details><summary>Fields of <code>${name}</code></summary>${fields}</details>`;
}

/** Returns the object that a list or a map consists of, or the schema itself. */
function objectWithin(document: ReferenceDocument, schema: Ref | DescribedSchema): DescribedSchema {
  const resolved = document.schema(schema);
  const { items, additionalProperties: entries } = resolved;
  if (items !== undefined) return objectWithin(document, items);
  if (typeof entries === 'object' && Object.keys(resolved.properties ?? {}).length === 0)
    return objectWithin(document, entries);
  return resolved;
}

function typeOf(document: ReferenceDocument, schema: DescribedSchema): string {
  const { type, format, items, additionalProperties: entries, anyOf, oneOf } = schema;
  const alternatives = anyOf ?? oneOf;
  if (type === undefined && alternatives !== undefined)
    return [...new Set(alternatives.map((one) => typeOf(document, document.schema(one))))].join(' or ');
  const names = [type ?? 'any'].flat().map((name) => {
    if (name === 'array' && items !== undefined)
      return `array of ${typeOf(document, document.schema(items))}`;
    if (name === 'object' && typeof entries === 'object')
      return `map of ${typeOf(document, document.schema(entries))}`;
    return name === 'string' && format !== undefined ? format : name;
  });
  return names.join(' or ');
}

function limitsOf(schema: DescribedSchema): Html[] {
  const limits: Html[] = [];
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  if (schema.const !== undefined) limits.push(html`always ${value(schema.const)}`);
  if (schema.enum !== undefined) limits.push(html`one of ${joined(schema.enum.map(value))}`);
  for (const [unit, min, max] of [
    ['', minimum, maximum],
    [' characters', minLength, maxLength],
    [' items', minItems, maxItems],
  ] as const) {
    if (min !== undefined && max !== undefined) limits.push(html`${min} to ${max}${unit}`);
    else if (min !== undefined) limits.push(html`at least ${min}${unit}`);
    else if (max !== undefined) limits.push(html`at most ${max}${unit}`);
  }
  if (schema.pattern !== undefined) limits.push(html`matches <code>${schema.pattern}</code>`);
  if (schema.default !== undefined) limits.push(html`default ${value(schema.default)}`);
  return limits;
}

function value(one: unknown): Html {
  return html`<code>${JSON.stringify(one)}</code>`;
}

function joined(parts: readonly Html[]): Html {
  return html`${parts.map((part, index) => (index === 0 ? part : html`, ${part}`))}`;
}
