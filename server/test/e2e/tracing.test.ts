// processes: starts a server with OpenTelemetry, which npm run install:checks installs
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { createDatabase } from '../support/fresh-database.ts';
import { sendHttp } from '../support/http-client.ts';
import { seedBrand } from '../support/seed.ts';
import { projectDir, startServerProcess } from '../support/server-process.ts';
import { databaseUrl } from '../support/test-database.ts';
import { startTraceCollector } from '../support/trace-collector.ts';
import { waitFor } from '../support/wait-for.ts';

const packageName = '@opentelemetry/auto-instrumentations-node';
const page = await readFile(join(projectDir, 'docs/monitoring.md'), 'utf8');
const section = page.split('\n## Traces\n')[1]?.split('\n## ')[0] ?? '';

it('OpenTelemetry’s instrumentation traces requests and statements, loaded as docs/monitoring.md says', async () => {
  const checks = join(projectDir, 'checks/package.json');
  const { dependencies } = JSON.parse(await readFile(checks, 'utf8'));
  assert.ok(section.includes(`npm install --no-save ${packageName}@${dependencies[packageName]}\n`));
  const variables = Object.fromEntries(
    [...section.matchAll(/\b((?:OTEL|NODE)_[A-Z_]+)=('[^']*'|\S+)/g)].map(([, name = '', value = '']) => [
      name,
      value.replaceAll("'", ''),
    ]),
  );
  const module = pathToFileURL(createRequire(checks).resolve(`${packageName}/register`)).href;
  const collector = await startTraceCollector();
  const server = await startServerProcess({
    env: {
      ...variables,
      DATABASE_URL: databaseUrl(await createDatabase()),
      NODE_OPTIONS: variables['NODE_OPTIONS']?.replace(`${packageName}/register`, module),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_LOGS_EXPORTER: 'none',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    },
  });
  const { apiKey } = await seedBrand(server);
  const traceId = 'a'.repeat(32);
  const { status } = await sendHttp(`${server.clientUrl}/v1/client/catalog/products`, {
    headers: { authorization: `Bearer ${apiKey}`, traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
  });
  assert.equal(status, 200);
  const spans = await waitFor('the spans of the request', () => {
    const found = collector.spans.filter((span) => span.traceId === traceId);
    return found.some(({ name }) => name === 'GET') ? found : null;
  });
  const request = spans.find(({ name }) => name === 'GET');
  assert.equal(request?.attributes['http.response.status_code'], 200);
  const statement = spans.find(({ name }) => name.startsWith('pg.query:find_credential '));
  assert.equal(statement?.parentSpanId, request?.spanId);
  assert.equal(collector.resource()['service.name'], 'brandport');
  assert.ok(!JSON.stringify(collector.spans).includes(apiKey), 'no secret is exported');
  assert.equal((await server.stop()).code, 0);
});
