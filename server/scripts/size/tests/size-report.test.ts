import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { measureBudgets } from '../budgets.ts';
import { areaOf, type CountedFile, partOf, sizeReport } from '../size-report.ts';

describe('the area of a file', () => {
  for (const [path, area] of [
    ['server/src/main.ts', 'product'],
    ['console/src/look/base.css', 'product'],
    ['server/src/lib/tests/clock.test.ts', 'tests'],
    ['server/test/run.ts', 'tests'],
    ['server/database/main/migrations/0009-baseline.sql', 'product'],
    ['server/database/tests/states/main-0009-analytics-0004.sql', 'dumps'],
    ['server/test/README.md', 'docs'],
    ['docs/decisions/0002-the-openapi-document-is-made-from-the-operations.md', 'docs'],
    ['docs/decisions/README.md', 'generated'],
    ['server/test/plans/plans.md', 'generated'],
    ['extensions/clickhouse/test/engine/package-lock.json', 'generated'],
    ['client/src/generated/wire.ts', 'generated'],
    ['deploy/compose.yaml', null],
  ] as const)
    it(`of ${path} is ${area}`, () => assert.equal(areaOf(path), area));
});

describe('the part of a file', () => {
  for (const [path, part] of [
    ['server/src/catalog/feeds/feed.ts', 'server/src/catalog'],
    ['server/src/main.ts', 'server/src/*'],
    ['server/scripts/size.ts', 'server/scripts'],
    ['cli/src/pull/plan.ts', 'cli'],
    ['extensions/sandbox/src/faults.ts', 'extensions/sandbox'],
    ['biome.json', '(root)'],
  ] as const)
    it(`of ${path} is ${part}`, () => assert.equal(partOf(path), part));
});

describe('the budgets', () => {
  it('measure each part by its path', () => {
    const files: CountedFile[] = (
      [
        ['server/src/main.ts', 1],
        ['server/src/lib/a.ts', 2],
        ['server/src/lib/tests/a.test.ts', 4],
        ['server/scripts/size.ts', 8],
        ['extensions/sandbox/src/a.ts', 16],
        ['console/src/a.tsx', 32],
        ['docs/decisions/0217-a-write-is-a-function-of-one-request-and-shares-turns-of-its-brand.md', 64],
        ['docs/decisions/README.md', 128],
      ] as const
    ).map(([path, lines]) => ({ path, lines, area: areaOf(path) ?? 'docs', part: partOf(path) }));
    const measured = measureBudgets(files, 3).map(({ name, size }) => [name, size] as const);
    assert.deepEqual(Object.fromEntries(measured.filter(([, size]) => size > 0)), {
      product: 1 + 2 + 8 + 16 + 32,
      'server/src': 3,
      extensions: 16,
      console: 32,
      scripts: 8,
      tests: 4,
      docs: 64,
      decisions: 1,
      settings: 3,
    });
  });
});

describe('the report', () => {
  it('adds up areas and parts, and spreads the lengths of product files', () => {
    const file = (path: string, lines: number) => ({
      path,
      lines,
      area: areaOf(path) ?? 'docs',
      part: partOf(path),
    });
    const report = sizeReport(
      [
        ...[10, 20, 30, 1_000].map((lines, n) => file(`server/src/lib/${n}.ts`, lines)),
        file('server/src/lib/tests/a.test.ts', 7),
        file('README.md', 150),
      ],
      [{ name: 'product', size: 1_060, limit: 2_000 }],
    );
    assert.deepEqual(
      report.split('\n').map((line) => line.split(/ {2,}/)),
      [
        ['area', 'files', 'lines'],
        ['product', '4', '1,060'],
        ['tests', '1', '7'],
        ['dumps', '0', '0'],
        ['docs', '1', '150'],
        ['generated', '0', '0'],
        [''],
        ['budget', 'now', 'limit'],
        ['product', '1,060', '2,000'],
        [''],
        ['part', 'files', 'lines', 'median / p90 / max', 'tests'],
        ['server/src', '4', '1,060', '20 / 1000 / 1000'],
        ['server/src/lib', '4', '1,060', '20 / 1000 / 1000', '1 / 7'],
      ],
    );
  });
});
