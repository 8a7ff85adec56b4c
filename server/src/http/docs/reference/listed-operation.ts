import type {
  Content,
  Contents,
  DescribedOperation,
  DescribedParameter,
  ReferenceDocument,
} from './described-document.ts';

export interface ListedOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly DescribedParameter[];
  /** Content types of the body, with schema and example; empty without a body. */
  readonly contents: Contents;
  readonly isBodyRequired: boolean;
  readonly responses: DescribedOperation['responses'];
}

export function listOperations(document: ReferenceDocument): ListedOperation[] {
  return Object.entries(document.described.paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(([method, operation]) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      tag: operation.tags[0] ?? '',
      summary: operation.summary,
      description: operation.description,
      parameters: operation.parameters.map((parameter) => document.resolve<DescribedParameter>(parameter)),
      contents: operation.requestBody?.content ?? {},
      isBodyRequired: operation.requestBody?.required ?? false,
      responses: operation.responses,
    })),
  );
}

/** Returns the first example of a body as text: JSON is indented. An empty string without an example. */
export function exampleText({ example, examples }: Content): string {
  const shown = example ?? Object.values(examples ?? {})[0]?.value;
  if (shown === undefined) return '';
  return typeof shown === 'string' ? shown : JSON.stringify(shown, null, 2);
}
