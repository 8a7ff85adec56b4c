import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { columnNames, type RowKind, rowKinds } from '../src/input/row-kinds.ts';
import { WantedCatalog } from '../src/sync/wanted/wanted-catalog.ts';
import { cli } from './cli-service.ts';

async function problemsOf(...rows: readonly object[]): Promise<string[]> {
  const stream = Readable.from(rows.map((row) => `${JSON.stringify(row)}\n`));
  const wanted = await WantedCatalog.read([{ path: 'rows.jsonl', stream }]);
  return wanted.problems.kept.map(({ message }) => message);
}

const concrete = (name: string) => name.replace('<code>', 'color').replace('<language>', 'sv');

describe('the columns of sync', () => {
  const marks: Readonly<Record<RowKind, object>> = {
    level: { sku: 'A', quantity: 1, location_code: 'hall' },
    location: { external_code: 'hall' },
    variant: { product_sku: 'A', sku: 'A-S', 'axis:size': 'S' },
    axis: { axis: 'size' },
    product: { sku: 'A' },
  };
  for (const [kind, mark] of Object.entries(marks) as [RowKind, object][])
    it(`of ${rowKinds[kind].rows} are each read, and no others`, async () => {
      for (const name of columnNames(kind)) {
        // The values of an axis are split as a string.
        const wrong = name === 'axis:<code>' && kind === 'product' ? ' ' : [7];
        const [problem] = await problemsOf({ ...mark, [concrete(name)]: wrong });
        const subject = name === 'axis:<code>' && kind === 'product' ? 'color' : concrete(name);
        assert.ok(problem?.includes(subject), `${name}: ${problem}`);
        assert.doesNotMatch(problem ?? '', /is not known/);
      }
      const problems = await problemsOf({ ...mark, constructor: 1, 'axis:': 'S', 'title:': 'T' });
      assert.equal(problems.filter((message) => /is not known/.test(message)).length, 3, problems.join());
    });

  it('are listed without a key, in the help of sync and by sync columns', async () => {
    const names = Object.keys(rowKinds).flatMap((kind) => columnNames(kind as RowKind));
    const { code, stdout } = await cli(['sync', 'columns']);
    assert.equal(code, 0);
    assert.match(stdout, /^products +price_value +a number such as 19\.5$/m);
    const rows = JSON.parse((await cli(['sync', 'columns', '--json'])).stdout);
    assert.deepEqual(rows.map(({ column }: { column: string }) => column).sort(), names.toSorted());
    const help = await cli(['sync', '--help']);
    for (const [kind, { rows: label }] of Object.entries(rowKinds))
      assert.ok(
        help.stdout.includes(`  ${label.padEnd(9)}  ${columnNames(kind as RowKind).join(', ')}\n`),
        help.stdout,
      );
  });
});
