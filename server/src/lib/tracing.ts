/** The kinds of work that have spans. A `request` has one of another form, see `RequestSpan`. */
export type SpanKindName = 'transaction' | 'statement' | 'job';

/** The span of a request. Its work runs inside of `run`, so that other spans become its children. */
export interface RequestSpan {
  /** 32 hexadecimal digits: the client's own, if it sent a `traceparent`. */
  readonly traceId: string;
  run(work: () => void): void;
  end(outcome: RequestOutcome): void;
}

export interface RequestOutcome {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly requestId: string;
  readonly brandId: number | null;
}

/** A tracer. The only implementation is loaded if tracing is configured. */
export interface Tracing {
  /** Runs `work` at once, in a child of the current span. `name` comes from a closed list, such as names of statements. */
  inSpan<T>(kind: SpanKindName, name: string, work: () => Promise<T>): Promise<T>;
  /** Adds ids to the current span, and returns the id of its trace. */
  noteIds(ids: Readonly<Record<string, string>>): string | null;
  /** Begins the span of a request, as a child of what its headers name. */
  beginRequest(headers: Readonly<Record<string, string | string[] | undefined>>): RequestSpan;
}

let current: Tracing | null = null;

/** Switches tracing on for the process, or off. Before apps are created, and before anything is traced. */
export function traceWith(tracing: Tracing | null): void {
  current = tracing;
}

export function currentTracing(): Tracing | null {
  return current;
}

/** Runs `work` in a span; without tracing it only runs it, which costs a comparison. */
export function inSpan<T>(kind: SpanKindName, name: string, work: () => Promise<T>): Promise<T> {
  return current === null ? work() : current.inSpan(kind, name, work);
}

/** Adds ids to the current span, as `brandport.<name>`, and returns the id of its trace; null without a span. */
export function noteIds(ids: Readonly<Record<string, string>>): string | null {
  return current === null ? null : current.noteIds(ids);
}

/** Returns the trace id of a `traceparent` header (W3C Trace Context), or null if there is none or it is invalid. */
export function traceIdOf(header: string | string[] | undefined): string | null {
  if (typeof header !== 'string') return null;
  const [, version, traceId, spanId] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(?:-|$)/.exec(header) ?? [];
  if (traceId === undefined || version === 'ff' || /^0+$/.test(traceId) || /^0+$/.test(spanId ?? ''))
    return null;
  return traceId;
}
