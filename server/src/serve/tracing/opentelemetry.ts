import {
  type Context,
  context,
  DiagLogLevel,
  diag,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import type { TracesConfig } from '../../config.ts';
import { type RequestSpan, type SpanKindName, type Tracing, traceWith } from '../../lib/tracing.ts';
import { packageVersion } from '../package-version.ts';

/** Registers the SDK and switches tracing on. Imported only if tracing is configured: loading takes 100 ms. */
export function startTracing(
  { url, serviceName }: TracesConfig,
  onFailure: (message: string) => void,
): () => Promise<void> {
  const report = (message: string) => onFailure(message);
  diag.setLogger(
    { error: report, warn: report, info: () => {}, debug: () => {}, verbose: () => {} },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'service.version': packageVersion }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url }))],
  });
  provider.register();
  traceWith(new OpenTelemetryTracing(trace.getTracer('brandport', packageVersion)));
  return async () => {
    traceWith(null);
    await provider.shutdown().catch((error: Error) => onFailure(error.message));
  };
}

class OpenTelemetryTracing implements Tracing {
  readonly #tracer: Tracer;

  constructor(tracer: Tracer) {
    this.#tracer = tracer;
  }

  inSpan<T>(kind: SpanKindName, name: string, work: () => Promise<T>): Promise<T> {
    const options = { kind: kindOf[kind], attributes: { ...attributesOf[kind], 'brandport.work': kind } };
    return this.#tracer.startActiveSpan(name === '' ? kind : name, options, async (span) => {
      try {
        return await work();
      } catch (error) {
        fail(span, error);
        throw error;
      } finally {
        span.end();
      }
    });
  }

  noteIds(ids: Readonly<Record<string, string>>): string | null {
    const span = trace.getActiveSpan();
    for (const [name, id] of Object.entries(ids)) span?.setAttribute(`brandport.${name}`, id);
    return span?.spanContext().traceId ?? null;
  }

  beginRequest(headers: Readonly<Record<string, string | string[] | undefined>>): RequestSpan {
    const parent = propagation.extract(ROOT_CONTEXT, headers);
    const span = this.#tracer.startSpan('request', { kind: SpanKind.SERVER }, parent);
    const inside: Context = trace.setSpan(parent, span);
    return {
      traceId: span.spanContext().traceId,
      run: (work) => context.with(inside, work),
      end: ({ method, route, status, requestId, brandId }) => {
        span.updateName(`${method} ${route}`);
        span.setAttributes({
          'http.request.method': method,
          'http.route': route,
          'http.response.status_code': status,
          'brandport.request_id': requestId,
          ...(brandId !== null && { 'brandport.brand_id': brandId }),
        });
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  }
}

const kindOf = {
  transaction: SpanKind.INTERNAL,
  statement: SpanKind.CLIENT,
  job: SpanKind.CONSUMER,
} as const;

const attributesOf = {
  transaction: { 'db.system.name': 'postgresql' },
  statement: { 'db.system.name': 'postgresql' },
  job: {},
} as const;

/** The kind of the error only: messages of PostgreSQL may quote values. */
function fail(span: Span, error: unknown): void {
  const { name = 'Error', code } = error as { name?: string; code?: unknown };
  span.setAttribute('error.type', typeof code === 'string' ? code : name);
  span.setStatus({ code: SpanStatusCode.ERROR });
}
