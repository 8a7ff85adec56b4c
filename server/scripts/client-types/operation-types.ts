import {
  type ApiDocument,
  type DocumentedOperation,
  type DocumentedParameter,
  type JsonSchema,
  nameOfRef,
} from './json-schema.ts';
import { docComment, propertyName, schemaType } from './schema-type.ts';

/** An operation with its place in the document. */
export interface PlacedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: DocumentedOperation;
  readonly parameters: readonly DocumentedParameter[];
}

/** The entries that describe the operations of another document, whose types are generated from that one. */
const otherOperations: ReadonlySet<string> = new Set(['readCatalogAsBrand', 'readAnalyticsAsBrand']);

/** Returns the operations of a document, in its order. */
export function operationsOf(document: ApiDocument): PlacedOperation[] {
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
export function queryInterface({ operation, parameters }: PlacedOperation): string {
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
export function operationMember(placed: PlacedOperation): string {
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
export function operationEntry({ method, path, operation, parameters }: PlacedOperation): string {
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
