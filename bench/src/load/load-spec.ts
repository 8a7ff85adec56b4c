/** Stands for a number that is unique in a run. */
export const numberPlace = '{{n}}';

/** One request of a load. `{{n}}` in path, body or a header is replaced by a number that is unique in the load. */
export interface LoadRequest {
  readonly method?: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A closed loop: each connection sends its next request after it received the previous response. */
export interface LoadSpec {
  readonly url: string;
  readonly connections: number;
  /** May be a fraction. */
  readonly seconds: number;
  /** Distributed over the connections in turn; each connection cycles through its own. */
  readonly requests: readonly LoadRequest[];
  /** The only accepted status, or statuses. */
  readonly expectedStatus: number | readonly number[];
  /** The first number for `{{n}}`. */
  readonly firstNumber?: number;
}

export interface LoadResult {
  /** Milliseconds since 1970: the time of the first request. The measured time ends `seconds` later. */
  readonly startedAt: number;
  readonly requestsPerSecond: number;
  /** Responses, including those that arrived after the measured time. */
  readonly answers: number;
  /** Mean bytes of a response, headers included. */
  readonly bytesPerAnswer: number;
  /** Latency, milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Processor time of the load generator per response, microseconds. */
  readonly generatorCpu: number;
}
