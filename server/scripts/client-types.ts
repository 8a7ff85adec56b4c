import { datasetNames } from '../src/analytics/store/datasets.ts';
import { scopes } from '../src/api/access.ts';

/** The keywords of JSON Schema that the documents use and that shape a type. */
interface JsonSchema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly allOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
}

/** The parts of an OpenAPI document that the types of the SDK come from. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly parameters: Readonly<Record<string, DocumentedParameter>>;
  };
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly summary?: string;
  readonly parameters?: readonly (DocumentedParameter | { readonly $ref: string })[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>>;
  };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: JsonSchema }>> }>
  >;
}

interface DocumentedParameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

/** Returns the last segment of a reference within the document: the name of the schema or parameter. */
function nameOfRef(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}

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
function schemaType(schema: JsonSchema, isOpen: boolean, indent = ''): string {
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
function docComment(description: string | undefined, indent: string): string {
  if (description === undefined || description === '') return '';
  const text = description.replaceAll('*/', '* /');
  const lines = text.split('\n');
  if (lines.length === 1) return `${indent}/** ${text} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`;
}

/** Returns a property name, quoted where it has to be. */
function propertyName(name: string): string {
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

/** An operation with its place in the document. */
interface PlacedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: DocumentedOperation;
  readonly parameters: readonly DocumentedParameter[];
}

/** The entries that describe the operations of another document, whose types are generated from that one. */
const otherOperations: ReadonlySet<string> = new Set(['readCatalogAsBrand', 'readAnalyticsAsBrand']);

/** Returns the operations of a document, in its order. */
function operationsOf(document: ApiDocument): PlacedOperation[] {
  const placed = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
      parameters: (operation.parameters ?? []).map((one) =>
        '$ref' in one ? (document.components.parameters[nameOfRef(one.$ref)] as DocumentedParameter) : one,
      ),
    })),
  );
  return placed.filter(({ operation }) => !otherOperations.has(operation.operationId));
}

/** Returns the interface of an operation's query, or an empty string. */
function queryInterface({ operation, parameters }: PlacedOperation): string {
  const members = parameters.filter((one) => one.in === 'query');
  if (members.length === 0) return '';
  const lines = members.map(({ name, required, description, schema }) => {
    const type = schemaType(schema, false, '  ');
    const member = required === true ? `: ${type}` : `?: ${type} | undefined`;
    return `${docComment(description, '  ')}  readonly ${propertyName(name)}${member};\n`;
  });
  return `export interface ${queryName(operation.operationId)} {\n${lines.join('')}}\n`;
}

/** Returns the member of an operation in the interface of all operations. */
function operationMember(placed: PlacedOperation): string {
  const { operation, path, parameters } = placed;
  const segments = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `${name}: string | number`);
  const hasQuery = parameters.some((one) => one.in === 'query');
  const query = hasQuery ? queryName(operation.operationId) : 'undefined';
  return (
    docComment(operation.summary, '  ') +
    `  readonly ${operation.operationId}: {\n` +
    `    readonly path: readonly [${segments.join(', ')}];\n` +
    `    readonly query: ${query};\n` +
    `    readonly body: ${bodyType(operation)};\n` +
    `    readonly response: ${responseType(operation)};\n  };\n`
  );
}

/**
 * Returns the entry of an operation in the table that the SDK reads at run time: `POST /path`, with ` key` if it takes an
 * Idempotency-Key, and ` text` if its response is not JSON.
 */
function operationEntry({ method, path, operation, parameters }: PlacedOperation): string {
  const takesKey = parameters.some((one) => one.in === 'header' && one.name === 'Idempotency-Key');
  const marks = `${takesKey ? ' key' : ''}${isText(operation) ? ' text' : ''}`;
  return `  ${operation.operationId}: '${method} ${path}${marks}',\n`;
}

function bodyType({ requestBody }: DocumentedOperation): string {
  if (requestBody === undefined) return 'undefined';
  const schema = requestBody.content['application/json']?.schema;
  const type = schema === undefined ? 'unknown' : schemaType(schema, false, '    ');
  return requestBody.required === true ? type : `${type} | undefined`;
}

function responseType({ responses }: DocumentedOperation): string {
  const types = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, { content }]) => {
      if (content === undefined) return 'undefined';
      const schema: JsonSchema | undefined = content['application/json']?.schema;
      return schema === undefined ? 'string' : schemaType(schema, true, '    ');
    });
  return [...new Set(types)].join(' | ') || 'undefined';
}

/** Downloads, such as CSV. */
function isText({ responses }: DocumentedOperation): boolean {
  const contents = Object.entries(responses).flatMap(([status, { content }]) =>
    status.startsWith('2') && content !== undefined ? [content] : [],
  );
  return contents.length > 0 && contents.every((content) => content['application/json'] === undefined);
}

function queryName(operationId: string): string {
  return `${operationId[0]?.toUpperCase()}${operationId.slice(1)}Query`;
}

/**
 * Returns a module of the SDK: an interface for every schema of a document, the queries, and the table of its
 * operations [D140].
 * @param name the prefix of the table and of its interface, such as `client`
 */
export function clientTypes(document: ApiDocument, name: 'client' | 'internal'): string {
  const interfaceName = `${name[0]?.toUpperCase()}${name.slice(1)}Operations`;
  const operations = operationsOf(document);
  const inputs = inputSchemas(document);
  const schemas = Object.entries(document.components.schemas).map(([schemaName, schema]) =>
    // Users of the list of codes add `string` to it: the list alone serves to name one code.
    declaration(schemaName, schema, !inputs.has(schemaName) && schemaName !== 'ErrorCode'),
  );
  return [
    '// Generated by `npm run generate` from the OpenAPI document. Do not edit.\n',
    ...schemas,
    ...operations.map(queryInterface).filter((text) => text !== ''),
    `/** The path parameters, query, body and response of every operation. */\nexport interface ${interfaceName} {\n${operations.map(operationMember).join('')}}\n`,
    `/** Method and path of every operation; \`key\` if it takes an \`Idempotency-Key\`. */\nexport const ${name}Operations: Readonly<Record<keyof ${interfaceName}, string>> = {\n${operations.map(operationEntry).join('')}};\n`,
  ].join('\n');
}

function declaration(name: string, schema: JsonSchema, isOpen: boolean): string {
  const type = schemaType(schema, isOpen);
  const comment = docComment(schema.description, '');
  return schema.type === 'object' && schema.properties !== undefined
    ? `${comment}export interface ${name} ${type}\n`
    : `${comment}export type ${name} = ${type};\n`;
}

/** Returns the schemas that only request bodies use: a value that the server would refuse is a type error there. */
function inputSchemas(document: ApiDocument): Set<string> {
  const operations = operationsOf(document).map(({ operation }) => operation);
  const sent = reachable(
    document,
    operations.map(({ requestBody }) => requestBody),
  );
  const received = reachable(
    document,
    operations.map(({ responses }) => responses),
  );
  return new Set([...sent].filter((name) => !received.has(name)));
}

function reachable(document: ApiDocument, from: unknown): Set<string> {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const ref = (value as JsonSchema).$ref;
    if (typeof ref === 'string' && ref.startsWith('#/components/schemas/') && !found.has(nameOfRef(ref))) {
      found.add(nameOfRef(ref));
      visit(document.components.schemas[nameOfRef(ref)]);
    }
    for (const part of Object.values(value)) visit(part);
  };
  visit(from);
  return found;
}

/** Returns the module of the SDK with the scopes of keys. */
export function scopesModule(): string {
  return [
    '// Generated by `npm run generate` from server/src/api/access.ts. Do not edit.\n',
    '/** All scopes of keys, in the order of the reference. */',
    `export const scopes = [\n${scopes.map((scope) => `  "${scope}",\n`).join('')}] as const;\n`,
    'export type Scope = (typeof scopes)[number];\n',
  ].join('\n');
}

/** Returns the module of the datasets' names, in the order of the reference. */
export function datasetNamesModule(): string {
  return `// Generated by \`npm run generate\` from the datasets of the service. Do not edit.

/** The names of the datasets, in the order of the reference. */
export const datasetNames = ${JSON.stringify(datasetNames)} as const;
`;
}
