import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { it } from 'node:test';
import { ContentRowWire, DailyRowWire } from '../metrics-lists.ts';
import { AnalyticsStatusWire } from '../status.ts';
import { ContentEngagementRowWire, UserRowWire } from '../users.ts';

const document = await readFile(
  new URL('../../../../../docs/guides/analytics-fields.md', import.meta.url),
  'utf8',
);

interface Schema {
  readonly properties?: Record<string, Schema>;
}

/** The names of all fields, at every depth. */
function fieldsOf(schema: Schema): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [name, ...fieldsOf(field)]);
}

for (const [heading, schema] of [
  ['Daily row', DailyRowWire],
  ['Content metrics row', ContentRowWire],
  ['User daily row', UserRowWire],
  ['User x content row', ContentEngagementRowWire],
  ['Status', { properties: { datasets: (AnalyticsStatusWire as Schema).properties?.['datasets'] ?? {} } }],
] as const)
  it(`the guide of the analytics fields defines every field of the ${heading}`, () => {
    const section = document.split(`\n## ${heading}`)[1]?.split('\n## ')[0] ?? '';
    const missing = fieldsOf(schema as Schema).filter((name) => !new RegExp(`[\`.]${name}\\b`).test(section));
    assert.deepEqual(missing, []);
  });
