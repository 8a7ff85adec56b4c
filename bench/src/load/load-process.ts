import process from 'node:process';
import { createInterface } from 'node:readline';
import { openLoadConnection } from './load-connection.ts';
import type { LoadResult, LoadSpec } from './load-spec.ts';
import { type RequestBytes, requestBytes } from './request-bytes.ts';

/**
 * The load generator's process: reads a LoadSpec from the first line of standard input, writes a LoadResult. It uses raw
 * sockets, because a general HTTP client costs as much as the server. It exits when standard input closes.
 */
const lines = createInterface({ input: process.stdin });
const spec = await new Promise<LoadSpec>((resolve) => {
  lines.once('line', (line) => resolve(JSON.parse(line)));
  lines.once('close', () => process.exit(1));
});
const { hostname: host, port, host: hostHeader } = new URL(spec.url);
const requests = spec.requests.map((request) => requestBytes(request, hostHeader));
let number = spec.firstNumber ?? 0;
let endsAt = 0;
/** Responses within the measured time, and the time of the last one. */
let inTime = 0;
let lastAt = 0;
const latencies: number[] = [];
const expected = [spec.expectedStatus].flat();
const unexpected = new Map<number, number>();

const connections = await Promise.all(
  Array.from({ length: spec.connections }, (_, n) =>
    openLoadConnection({
      host,
      port: Number(port),
      requests: ownRequests(n),
      nextNumber: () => number++,
      onResponse: (status, milliseconds) => {
        lastAt = performance.now();
        if (!expected.includes(status)) unexpected.set(status, (unexpected.get(status) ?? 0) + 1);
        latencies.push(milliseconds);
        if (lastAt > endsAt) return false;
        inTime += 1;
        return true;
      },
    }),
  ),
);
const cpu = process.cpuUsage();
const startedAt = Date.now();
const start = performance.now();
endsAt = start + spec.seconds * 1000;
await Promise.all(connections.map((connection) => connection.run()));
const { user, system } = process.cpuUsage(cpu);

if (unexpected.size > 0) {
  process.stderr.write(`the load received unexpected statuses ${JSON.stringify([...unexpected])}\n`);
  process.exit(1);
}
const sorted = Float64Array.from(latencies).sort();
const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
const measured: LoadResult = {
  startedAt,
  // A slow server may complete nothing within the time: then everything counts, over the whole time.
  requestsPerSecond: inTime > 0 ? inTime / spec.seconds : (latencies.length * 1000) / (lastAt - start),
  answers: latencies.length,
  bytesPerAnswer: connections.reduce((sum, each) => sum + each.bytesRead(), 0) / latencies.length,
  p50: at(0.5),
  p99: at(0.99),
  generatorCpu: (user + system) / latencies.length,
};
for (const connection of connections) connection.close();
process.stdout.write(JSON.stringify(measured), () => process.exit(0));

/** The requests of one connection: every so many-th, or all when there are fewer requests than connections. */
function ownRequests(connection: number): RequestBytes[] {
  const own = requests.filter((_, index) => index % spec.connections === connection);
  return own.length > 0 ? own : requests;
}
