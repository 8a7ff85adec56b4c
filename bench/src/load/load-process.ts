import process from 'node:process';
import { text } from 'node:stream/consumers';
import autocannon from 'autocannon';
import type { LoadRequest, LoadResult, LoadSpec } from './load-spec.ts';

/** The load generator's process: reads a LoadSpec on standard input, writes a LoadResult. */
const spec = JSON.parse(await text(process.stdin)) as LoadSpec;
let number = spec.firstNumber ?? 0;
let client = 0;
const statuses = new Map<number, number>();
const start = performance.now();
const result = await autocannon({
  url: spec.url,
  connections: spec.connections,
  duration: spec.seconds,
  timeout: 60,
  setupClient: (each) => {
    const own = spec.requests.filter((_, index) => index % spec.connections === client % spec.connections);
    client += 1;
    each.setRequests((own.length > 0 ? own : spec.requests).map(toRequest));
    each.on('response', (status) => statuses.set(status, (statuses.get(status) ?? 0) + 1));
  },
});
const seconds = (performance.now() - start) / 1000;
const answers = statuses.get(spec.expectedStatus) ?? 0;
const others = [...statuses].filter(([status]) => status !== spec.expectedStatus);
if (result.errors > 0 || others.length > 0 || answers === 0) {
  process.stderr.write(
    `the load failed: ${result.errors} errors, statuses ${JSON.stringify([...statuses])}\n`,
  );
  process.exit(1);
}
const measured: LoadResult = {
  requestsPerSecond: answers / Math.max(spec.seconds, Math.min(seconds, result.duration)),
  answers,
  bytesPerAnswer: result.throughput.total / answers,
  p50: result.latency.p50,
  p99: result.latency.p99,
};
process.stdout.write(JSON.stringify(measured));

function toRequest(request: LoadRequest): autocannon.Request {
  const { method = 'GET', path, headers, body } = request;
  const fixed: autocannon.Request = {
    method,
    path,
    ...(headers && { headers: { ...headers } }),
    ...(body !== undefined && { body }),
  };
  if (!JSON.stringify(request).includes('{{n}}')) return fixed;
  return {
    ...fixed,
    setupRequest: (next) => {
      const fill = (value: string) => value.replaceAll('{{n}}', String(number));
      number += 1;
      return {
        ...next,
        path: fill(path),
        headers: Object.fromEntries(
          Object.entries(headers ?? {}).map(([name, value]) => [name, fill(value)]),
        ),
        ...(body !== undefined && { body: fill(body) }),
      };
    },
  };
}
