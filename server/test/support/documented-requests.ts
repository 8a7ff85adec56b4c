// biome-ignore lint/suspicious/noExplicitAny: the document is JSON.
type Json = any;

/** A request built from the examples of one operation. */
export interface DocumentedRequest {
  readonly operationId: string;
  readonly method: string;
  /** With path parameters filled in, without query. */
  readonly path: string;
  /** All query parameters of the operation. */
  readonly query: ReadonlyMap<string, string>;
  /** Those without which the request is refused. */
  readonly requiredQuery: ReadonlyMap<string, string>;
  readonly headers: Readonly<Record<string, string>>;
  /** One body per media type; a single undefined where there is none. */
  readonly bodies: readonly (DocumentedBody | undefined)[];
  /** The documented 2xx statuses. */
  readonly successes: readonly number[];
}

export interface DocumentedBody {
  readonly contentType: string;
  readonly text: string;
}

/** Builds the requests of a served OpenAPI document from its examples alone, in the order of the document. */
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
      const examples = (place: string, which = parameters): [string, string][] =>
        which
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
        requiredQuery: new Map(
          examples(
            'query',
            parameters.filter(({ required }) => required),
          ),
        ),
        // The tag of an example is that of no state.
        headers: Object.fromEntries(examples('header').filter(([name]) => name !== 'If-Match')),
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
