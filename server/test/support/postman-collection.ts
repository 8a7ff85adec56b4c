import { requireFromChecks } from './generated-clients.ts';

/** The used part of a Postman collection, format 2.1. */
interface CollectionItem {
  readonly name: string;
  readonly item?: readonly CollectionItem[];
  readonly request?: CollectionRequest;
}

interface CollectionRequest {
  readonly method: string;
  readonly header: readonly Entry[];
  readonly body?: { readonly raw: string };
  readonly url: {
    readonly path: readonly string[];
    readonly query?: readonly Entry[];
    readonly variable: readonly Entry[];
  };
}

interface Entry {
  readonly key: string;
  readonly value: string;
  readonly disabled?: boolean;
}

/** One request of a collection as Postman sends it, without disabled parts. */
interface PostmanRequest {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface ConversionOptions {
  /** True if the collection sends optional parameters too. */
  readonly enableOptionalParameters: boolean;
}

/** Converts a document to a Postman collection with values from its examples, and returns the requests. */
export async function postmanRequests(
  documentText: string,
  options: ConversionOptions,
): Promise<PostmanRequest[]> {
  const { convertV2 } = requireFromChecks('openapi-to-postmanv2');
  const input = { type: 'string', data: documentText };
  const collection = await new Promise<CollectionItem>((resolve, reject) => {
    // biome-ignore lint/suspicious/noExplicitAny: the package has no types.
    convertV2(input, { ...options, parametersResolution: 'Example' }, (error: unknown, conversion: any) => {
      if (error || !conversion.result) reject(new Error(`no collection: ${error ?? conversion.reason}`));
      else resolve(conversion.output[0].data);
    });
  });
  return requestsOf(collection);
}

/** Returns the requests of a collection, in order. */
function requestsOf({ name, item = [], request }: CollectionItem): PostmanRequest[] {
  return [...(request === undefined ? [] : [readRequest(name, request)]), ...item.flatMap(requestsOf)];
}

function readRequest(name: string, { method, header, url, body }: CollectionRequest): PostmanRequest {
  const variables = new Map(url.variable.map(({ key, value }) => [key, value]));
  const segments = url.path.map((segment) =>
    segment.startsWith(':') ? encodeURIComponent(variables.get(segment.slice(1)) ?? '') : segment,
  );
  const pairs = (entries: readonly Entry[]) =>
    entries
      .filter(({ disabled }) => disabled !== true)
      .map(({ key, value }): [string, string] => [key, value]);
  return {
    name,
    method,
    path: `/${segments.join('/')}`,
    query: new URLSearchParams(pairs(url.query ?? [])),
    ...(body !== undefined && { body: body.raw }),
    headers: Object.fromEntries(pairs(header)),
  };
}
