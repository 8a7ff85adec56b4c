import { type JsonSchema, nameOfRef } from './json-schema.ts';

const scalars: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

/**
 * Returns the TypeScript type that a schema describes.
 * @param isOpen true in responses, where later versions of the server may send further values of an enumeration
 * @param indent the indentation of the line on which the type begins
 */
export function schemaType(schema: JsonSchema, isOpen: boolean, indent = ''): string {
  if (schema.$ref !== undefined) return nameOfRef(schema.$ref);
  if (schema.allOf !== undefined)
    return schema.allOf.map((part) => grouped(schemaType(part, isOpen, indent))).join(' & ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return union(choices.map((choice) => schemaType(choice, isOpen, indent)));
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return enumeration(schema.enum, isOpen);
  if (Array.isArray(schema.type))
    return union(schema.type.map((type: string) => schemaType({ ...schema, type }, isOpen, indent)));
  if (schema.type === 'array')
    return schema.items === undefined
      ? 'readonly unknown[]'
      : `readonly ${grouped(schemaType(schema.items, isOpen, indent))}[]`;
  if (schema.type === 'object') return objectType(schema, isOpen, indent);
  return scalars[String(schema.type)] ?? 'unknown';
}

/** Returns the comment of a schema or parameter, on separate lines, or an empty string. */
export function docComment(description: string | undefined, indent: string): string {
  if (description === undefined || description === '') return '';
  const text = description.replaceAll('*/', '* /');
  const lines = text.split('\n');
  if (lines.length === 1) return `${indent}/** ${text} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`;
}

/** Returns a property name, quoted where it has to be. */
export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

function objectType(schema: JsonSchema, isOpen: boolean, indent: string): string {
  const properties = Object.entries(schema.properties ?? {});
  if (properties.length === 0) {
    const values =
      typeof schema.additionalProperties === 'object'
        ? schemaType(schema.additionalProperties, isOpen, indent)
        : 'unknown';
    return `Readonly<Record<string, ${values}>>`;
  }
  const inner = `${indent}  `;
  const lines = properties.map(([name, property]) => {
    const type = schemaType(property, isOpen, inner);
    const isRequired = schema.required?.includes(name) === true;
    const member = isRequired ? `: ${type}` : `?: ${type} | undefined`;
    return `${docComment(property.description, inner)}${inner}readonly ${propertyName(name)}${member};\n`;
  });
  return `{\n${lines.join('')}${indent}}`;
}

/** `string & {}` keeps the completion of the known values in editors. */
function enumeration(values: readonly unknown[], isOpen: boolean): string {
  const hasStrings = values.some((value) => typeof value === 'string');
  const types = values.map((value) => JSON.stringify(value));
  return union(isOpen && hasStrings ? [...types, '(string & {})'] : types);
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}

function grouped(type: string): string {
  return / [|&] /.test(type) && !type.startsWith('{') ? `(${type})` : type;
}
