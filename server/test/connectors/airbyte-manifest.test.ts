// processes: runs Debian's Python
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { defaultDataDir } from '../../demo/data-files.ts';
import { type Day, yesterdayOf } from '../../src/analytics/day.ts';
import { hasModule, python } from './run-python.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
// biome-ignore-start lint/suspicious/noExplicitAny: documents of other programs.
const manifest: any = parse(read('../../../connectors/airbyte/manifest.yaml'), { merge: true });
const api: any = JSON.parse(read('../../openapi.json'));
// biome-ignore-end lint/suspicious/noExplicitAny: documents of other programs.
const rowSchemas: Readonly<Record<string, string>> = {
  daily: 'DailyMetricsRow',
  contents: 'ContentMetricsRow',
  users: 'UserDayRow',
  content_engagement: 'ContentEngagementRow',
};

/** Airbyte's schema lies with the published data sets, next to the project: it is not part of it. */
const schemaFile = join(
  process.env['BRANDPORT_REAL_DATA'] ?? defaultDataDir,
  'airbyte/declarative-component-schema.yaml',
);

interface Shape {
  readonly type?: unknown;
  readonly properties?: Record<string, Shape>;
}

/** The types of all fields by their path. */
function typesOf({ type, properties = {} }: Shape, path = ''): Record<string, unknown> {
  const nested = Object.entries(properties).map(([name, each]) => typesOf(each, `${path}/${name}`));
  return Object.assign({ [path]: type }, ...nested);
}

function evaluate(expressions: readonly (readonly [string, object])[]): string[] {
  const script = fileURLToPath(new URL('stand-in/evaluate.py', import.meta.url));
  return JSON.parse(
    execFileSync(python as string, ['-B', script], { input: JSON.stringify(expressions), encoding: 'utf8' }),
  );
}

describe("Airbyte's manifest", () => {
  it('is valid by the published component schema, and a mistake is not', {
    skip: !existsSync(schemaFile),
  }, () => {
    const validate = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(
      parse(readFileSync(schemaFile, 'utf8')),
    );
    assert.equal(validate(manifest), true, JSON.stringify(validate.errors, null, 1));
    const mistaken = structuredClone(manifest);
    mistaken.streams[1].retriever.paginator.pagination_strategy.type = 'CursorPages';
    assert.equal(validate(mistaken), false);
  });

  it('has the paths, parameters, page sizes and fields of the API', () => {
    assert.deepEqual(
      manifest.streams.map(({ name }: { name: string }) => name),
      Object.keys(rowSchemas),
    );
    for (const stream of manifest.streams) {
      const { requester, paginator } = stream.retriever;
      const { parameters } = api.paths[`/v1/client/analytics${requester.path}`].get;
      // biome-ignore lint/suspicious/noExplicitAny: a parameter of the document.
      const known = new Map<string, any>(parameters.map((each: any) => [each.name, each]));
      const { start_time_option: from, end_time_option: to } = stream.incremental_sync;
      const sent = [from.field_name, to.field_name, ...Object.keys(requester.request_parameters)];
      for (const name of [...sent, ...(paginator ? [paginator.page_token_option.field_name] : [])])
        assert.ok(known.has(name), `${requester.path} has no ${name}`);
      assert.match(
        known.get('per_page').description,
        new RegExp(`above ${requester.request_parameters.per_page} are reduced`),
      );
      const added = new Set(
        stream.transformations?.flatMap(({ fields }: { fields: { path: string[] }[] }) =>
          fields.map(({ path }) => `/${path.join('/')}`),
        ),
      );
      const declared = Object.entries(typesOf(stream.schema_loader.schema)).filter(
        ([path]) => !added.has(path),
      );
      assert.deepEqual(
        Object.fromEntries(declared),
        typesOf(api.components.schemas[rowSchemas[stream.name] as string]),
      );
      for (const name of stream.primary_key ?? [])
        assert.ok(name in stream.schema_loader.schema.properties, `${stream.name} has no ${name}`);
    }
  });

  it('has expressions that Jinja2 evaluates', { skip: !hasModule('jinja2', 'python3-jinja2') }, () => {
    const users = manifest.streams[2];
    const { cursor_value, stop_condition } = users.retriever.paginator.pagination_strategy;
    const engagement = manifest.streams[3].transformations[0].fields.map(
      ({ value }: { value: string }) => value,
    );
    const next = { response: { meta: { next_cursor: 'abc' } } };
    const last = { response: { meta: { next_cursor: null } } };
    const listed = { record: { user: { tu_id: 'u1' }, content: { type: 'episode', tu_id: 'c0' } } };
    const orphaned = { record: { user: { tu_id: 'u1' }, content: null } };
    const config = {
      config: { base_url: 'https://api.example.com', start_date: '2026-01-01', lookback_days: 3 },
    };
    const { lookback_window, end_datetime, start_datetime } = users.incremental_sync;
    const before = yesterdayOf(Date.now());
    const texts = evaluate([
      [stop_condition, next],
      [stop_condition, last],
      [cursor_value, next],
      ...engagement.map((value: string) => [value, listed] as const),
      ...engagement.map((value: string) => [value, orphaned] as const),
      [users.retriever.requester.url_base, config],
      [lookback_window, config],
      [lookback_window, { config: {} }],
      [start_datetime.datetime, config],
      [end_datetime.datetime, {}],
    ]);
    const yesterdays = [before, yesterdayOf(Date.now())];
    const end = texts.pop() as string;
    // Midnight may pass meanwhile.
    assert.ok(yesterdays.includes(end as Day), end);
    assert.deepEqual(texts, [
      'False',
      'True',
      'abc',
      ...['u1', 'episode', 'c0'],
      ...['u1', 'None', 'None'],
      'https://api.example.com/v1/client/analytics',
      'P3D',
      'P7D',
      '2026-01-01',
    ]);
  });
});
