import { Agent, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import {
  type ApiClient,
  type ApiResponse,
  clientOf,
  parsedJson,
  type RequestOptions,
  type ResponseCheck,
} from './api-client.ts';
import { registerSecretsOf } from './canaries.ts';
import { decodedText } from './decoded-text.ts';

/** Enough connections for any race. Without keep-alive a refused connection shows at once. */
const agent = new Agent({ keepAlive: false, maxSockets: 2_000 });

export interface HttpRequestOptions extends RequestOptions {
  readonly method?: string;
  readonly agent?: Agent | undefined;
}

/**
 * Sends one request over a real connection; for `https:` the agent has the certificate to trust. Strings and bytes are sent
 * unchanged, everything else as JSON.
 * @throws Error without a complete response (refused, reset, cut off)
 */
export async function sendHttp(
  url: string,
  { method = 'GET', body, headers = {}, agent: own = agent }: HttpRequestOptions = {},
): Promise<ApiResponse> {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const payload = body === undefined ? undefined : isRaw ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const outgoing = (url.startsWith('https:') ? httpsRequest : httpRequest)(
      url,
      {
        method,
        agent: own,
        headers: {
          ...(payload !== undefined && { 'content-type': 'application/json' }),
          ...(payload !== undefined && { 'content-length': Buffer.byteLength(payload) }),
          ...headers,
        },
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const text = decodedText(Buffer.concat(chunks), incoming.headers['content-encoding']);
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers as Record<string, string>,
            text,
            json: parsedJson(text),
          });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(payload);
  });
}

/** The client of a server process: has the interface of the client for in-process apps, over real connections. */
export function createHttpClient(baseUrl: string, token: string | null, check?: ResponseCheck): ApiClient {
  const request = async (method: string, path: string, { body, headers = {} }: RequestOptions = {}) => {
    const response = await sendHttp(baseUrl + path, {
      method,
      body,
      headers: { ...(token !== null && { authorization: `Bearer ${token}` }), ...headers },
    });
    registerSecretsOf(response.json);
    check?.(method, new URL(baseUrl + path).pathname, response);
    return response;
  };
  return clientOf(request);
}
