/** A request that was not answered with success. */
export class ApiProblem extends Error {
  /** The HTTP status; 0 if no response arrived. */
  readonly status: number;
  /** The code of the error envelope, or `unreachable`. */
  readonly code: string;
  /** Messages by field of a 422. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
  /** The `X-Request-Id` of the response. */
  readonly requestId: string | null;

  constructor(
    message: string,
    details: Partial<Pick<ApiProblem, 'status' | 'code' | 'errors' | 'requestId'>> = {},
  ) {
    super(message);
    this.name = 'ApiProblem';
    this.status = details.status ?? 0;
    this.code = details.code ?? 'unreachable';
    this.errors = details.errors ?? {};
    this.requestId = details.requestId ?? null;
  }
}

/** Reads the error envelope of a response. A proxy's answer without one keeps its status. */
export async function problemOf(response: Response): Promise<ApiProblem> {
  const requestId = response.headers.get('x-request-id');
  const body: unknown = await response.json().catch(() => null);
  const { message, code, errors } = (body ?? {}) as {
    message?: string;
    code?: string;
    errors?: Record<string, string[]>;
  };
  return new ApiProblem(message ?? `The server answered ${response.status}.`, {
    status: response.status,
    code: code ?? 'unknown',
    errors: errors ?? {},
    requestId,
  });
}
