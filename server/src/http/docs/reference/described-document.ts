import type { OpenApiDocument } from '../openapi-document.ts';

export interface DescribedDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>> & {
    readonly securitySchemes: Readonly<Record<string, { readonly description: string }>>;
  };
}

export interface DescribedOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly (Ref | DescribedParameter)[];
  readonly requestBody?: { readonly required: boolean; readonly content: Contents };
  readonly responses: Readonly<Record<string, Ref | DescribedResponse>>;
}

export interface DescribedParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: DescribedSchema;
  readonly example?: unknown;
}

export interface DescribedResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Ref | { readonly description?: string }>>;
  readonly content?: Contents;
}

export interface Content {
  readonly schema: Ref | DescribedSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

export type Contents = Readonly<Record<string, Content>>;

export interface Ref {
  readonly $ref: string;
}

export interface DescribedSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Ref | DescribedSchema>>;
  readonly required?: readonly string[];
  readonly items?: Ref | DescribedSchema;
  readonly additionalProperties?: boolean | Ref | DescribedSchema;
  readonly allOf?: readonly (Ref | DescribedSchema)[];
  readonly anyOf?: readonly (Ref | DescribedSchema)[];
  readonly oneOf?: readonly (Ref | DescribedSchema)[];
}

/** A document whose references can be followed. */
export class ReferenceDocument {
  readonly described: DescribedDocument;

  constructor(document: OpenApiDocument) {
    this.described = document as unknown as DescribedDocument;
  }

  /** Returns the object that a reference names, or the object itself. @throws Error for a reference to nothing */
  resolve<T extends object>(object: Ref | T): T {
    if (!('$ref' in object)) return object;
    const found = object.$ref
      .split('/')
      .slice(1)
      .reduce<unknown>(
        (parent, name) => (parent as Record<string, unknown>)?.[name],
        this.described as unknown,
      );
    if (found === undefined) throw new Error(`The document has no ${object.$ref}.`);
    return this.resolve(found as Ref | T);
  }

  /** Returns the schema with the properties of all its parts. */
  schema(object: Ref | DescribedSchema): DescribedSchema {
    const { allOf = [], ...own } = this.resolve(object);
    if (allOf.length === 0) return own;
    const parts = [...allOf.map((part) => this.schema(part)), own];
    return Object.assign({}, ...parts, {
      properties: Object.assign({}, ...parts.map(({ properties = {} }) => properties)),
      required: parts.flatMap(({ required = [] }) => required),
    });
  }
}
