/** One request of a load; `{{n}}` in path, body or a header stands for a number that no other request of the load has. */
export interface LoadRequest {
  readonly method?: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A closed loop: each connection sends its next request when it has the answer to the last one. */
export interface LoadSpec {
  readonly url: string;
  readonly connections: number;
  /** May be a fraction. */
  readonly seconds: number;
  /** Dealt to the connections in turns; each connection goes round its own. */
  readonly requests: readonly LoadRequest[];
  /** The one status that counts as an answer. */
  readonly expectedStatus: number;
  /** Where the numbers for `{{n}}` begin. */
  readonly firstNumber?: number;
}

export interface LoadResult {
  readonly requestsPerSecond: number;
  readonly answers: number;
  /** Bytes of one answer, mean, headers included. */
  readonly bytesPerAnswer: number;
  /** Latency, milliseconds. */
  readonly p50: number;
  readonly p99: number;
}
