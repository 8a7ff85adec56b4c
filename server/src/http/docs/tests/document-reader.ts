import { Ajv2020 } from 'ajv/dist/2020.js';
import { parseInstant } from '../../../lib/instant.ts';
import { clientDocument } from '../client-document.ts';
import { internalDocument } from '../internal-document.ts';
import type { OpenApiDocument } from '../openapi-document.ts';

// biome-ignore lint/suspicious/noExplicitAny: the document is JSON.
export type Json = any;

export interface DocumentedOperation {
  /** `POST /v1/client/…` */
  readonly title: string;
  readonly operation: Json;
}

/** A body of an operation: what the document says of one media type of one request or response. */
export interface DocumentedBody {
  /** `POST /v1/client/… 201` */
  readonly title: string;
  readonly mediaType: string;
  readonly content: Json;
}

/** Reads a document the way an integrator's tool would: references resolved, schemas compiled. */
export class DocumentReader {
  readonly root: Json;
  readonly #ajv = new Ajv2020({ strict: false });

  constructor(document: OpenApiDocument) {
    this.root = JSON.parse(JSON.stringify(document));
    this.#ajv.addFormat('date-time', (text) => parseInstant(text) !== null);
    this.#ajv.addSchema({ $id: 'document', components: this.root.components });
  }

  operations(): DocumentedOperation[] {
    return Object.entries<Json>(this.root.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        title: `${method.toUpperCase()} ${path}`,
        operation,
      })),
    );
  }

  /** Request bodies, and the bodies of the responses whose status passes. */
  bodies(isWanted: (status: number) => boolean): DocumentedBody[] {
    return this.operations().flatMap(({ title, operation }) => [
      ...contents(`${title} request`, operation.requestBody),
      ...Object.entries(operation.responses).flatMap(([status, response]) =>
        isWanted(Number(status)) ? contents(`${title} ${status}`, this.resolve(response)) : [],
      ),
    ]);
  }

  resolve(node: Json): Json {
    if (node?.$ref === undefined) return node;
    const tokens = node.$ref.split('/').slice(1);
    return this.resolve(tokens.reduce((at: Json, token: string) => at?.[token], this.root));
  }

  /** Returns the problem of a value under a schema of this document, or null. */
  problem(schema: Json, value: unknown): string | null {
    const text = JSON.stringify(schema).replaceAll('"#/components', '"document#/components');
    const validate = this.#ajv.compile(JSON.parse(text));
    return validate(value) ? null : JSON.stringify(validate.errors);
  }

  /** Every object and array of the document, with its path. */
  *nodes(node: Json = this.root, path = '#'): Generator<{ path: string; node: Json }> {
    if (typeof node !== 'object' || node === null) return;
    yield { path, node };
    for (const [key, value] of Object.entries(node)) yield* this.nodes(value, `${path}/${key}`);
  }
}

function contents(title: string, holder: Json): DocumentedBody[] {
  return Object.entries(holder?.content ?? {}).map(([mediaType, content]) => ({ title, mediaType, content }));
}

export const documents = [
  { name: 'the client document', reader: new DocumentReader(clientDocument()) },
  { name: 'the internal document', reader: new DocumentReader(internalDocument()) },
];
