import { createServer } from 'node:http';
import { listeningUrl } from './listening-url.ts';

export interface CollectedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: Readonly<Record<string, string | number>>;
}

interface TraceCollector {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly url: string;
  /** All spans received so far. */
  readonly spans: CollectedSpan[];
  /** The resource attributes of the last export. */
  resource(): Readonly<Record<string, string | number>>;
}

interface OtlpAttribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number | string };
}

/** Starts a collector that receives OTLP over HTTP as JSON. It ends with the test file. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  let resource: Readonly<Record<string, string | number>> = {};
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString());
    for (const { resource: of, scopeSpans } of resourceSpans) {
      resource = attributesOf(of.attributes);
      for (const scope of scopeSpans)
        for (const span of scope.spans) spans.push({ ...span, attributes: attributesOf(span.attributes) });
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  return { url: await listeningUrl(server), spans, resource: () => resource };
}

function attributesOf(attributes: readonly OtlpAttribute[]): Record<string, string | number> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
  );
}
