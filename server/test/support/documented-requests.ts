// biome-ignore lint/suspicious/noExplicitAny: the document is JSON.
type Json = any;

/** A request made of the examples of one operation. */
export interface DocumentedRequest {
  readonly operationId: string;
  readonly method: string;
  /** With path parameters filled in, without query. */
  readonly path: string;
  /** All query parameters of the operation. */
  readonly query: ReadonlyMap<string, string>;
  readonly headers: Readonly<Record<string, string>>;
  /** One for each media type; undefined alone where there is no body. */
  readonly bodies: readonly (DocumentedBody | undefined)[];
  /** The documented statuses of success, 304 left out. */
  readonly successes: readonly number[];
}

export interface DocumentedBody {
  readonly contentType: string;
  readonly text: string;
}

/** The requests of a served OpenAPI document, in its order, made of its examples and nothing else. */
export function documentedRequests(document: Json): DocumentedRequest[] {
  const resolve = (node: Json): Json =>
    node.$ref === undefined
      ? node
      : node.$ref
          .split('/')
          .slice(1)
          .reduce((at: Json, token: string) => at[token], document);

  return Object.entries<Json>(document.paths).flatMap(([template, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]) => {
      const parameters: Json[] = operation.parameters.map(resolve);
      const examples = (place: string): [string, string][] =>
        parameters
          .filter((parameter) => parameter.in === place)
          .map(({ name, example }) => [name, String(example)]);
      const path = examples('path').reduce(
        (text, [name, example]) => text.replace(`{${name}}`, encodeURIComponent(example)),
        template,
      );
      return {
        operationId: operation.operationId,
        method: method.toUpperCase(),
        path,
        query: new Map(examples('query')),
        headers: Object.fromEntries(examples('header')),
        bodies: bodiesOf(operation.requestBody),
        successes: Object.keys(operation.responses)
          .map(Number)
          .filter((status) => status < 300),
      };
    }),
  );
}

function bodiesOf(requestBody: Json): (DocumentedBody | undefined)[] {
  const contents = Object.entries<Json>(requestBody?.content ?? {});
  if (contents.length === 0) return [undefined];
  return contents.map(([contentType, { example }]) => ({
    contentType,
    text: typeof example === 'string' ? example : JSON.stringify(example),
  }));
}
