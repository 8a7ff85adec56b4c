import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axisOf, choiceOf } from '../../axes/axis-library.ts';
import { createAxes } from '../../axes/create-axes.ts';
import type { DataSet } from '../../data-sets/data-set.ts';
import { createProducts } from '../../products/create-products.ts';
import { differencesOf, startDemoUnderTest } from '../../tests/demo.ts';
import { generateVariants, verifyCap } from '../generate-variants.ts';
import { combinationsOf, countCombinations, type ParentSource } from '../parent.ts';
import { parentScopes } from '../round-trip-parents.ts';
import { selectAxes } from '../select-axes.ts';

const demo = await startDemoUnderTest();

const numbers = Array.from({ length: 26 }, (_, index) => String(index));
const library = [axisOf('a', 'A', numbers), axisOf('b', 'B', numbers)];
const body = { title: 'T', is_active: true, price_value: 1, price_currency: 'EUR' };

function parent(sku: string, a: readonly string[], b: readonly string[]): ParentSource {
  const choice = library.map((axis, index) => choiceOf(axis, index === 0 ? a : b));
  const source = { body: { ...body, sku }, choice, variants: [] };
  return { ...source, variants: combinationsOf(source) };
}

/** Passes any `generated` and `refused` to the functions of these names. */
async function differences(generated: readonly ParentSource[], refused: readonly ParentSource[]) {
  const dataSet: DataSet = {
    name: 'generation',
    files: [],
    async run(run) {
      const brand = await run.newBrand(parentScopes);
      const sources = [...generated, ...refused];
      const bodies = sources.map((source) => source.body);
      const created = await createProducts(run, brand, bodies);
      await createAxes(run, brand, library);
      const pending = await selectAxes(run, brand, { axisLibrary: library, sources, created });
      await generateVariants(run, brand, pending.slice(0, generated.length));
      await verifyCap(run, brand, pending.slice(generated.length));
    },
  };
  return differencesOf(await demo.run([dataSet]));
}

test('combinations are ordered with the first axis slowest, and their SKUs have the values', () => {
  const source = parent('P', ['0', '1'], ['2', '3']);
  assert.equal(countCombinations(source), 4);
  assert.deepEqual(
    combinationsOf(source).map(({ sku }) => sku),
    ['P-0-2', 'P-0-3', 'P-1-2', 'P-1-3'],
  );
});

test('500 combinations are generated, 520 are rejected with both numbers', async () => {
  const most = parent('MOST', numbers.slice(0, 25), numbers.slice(0, 20));
  const tooMany = parent('TOO-MANY', numbers, numbers.slice(0, 20));
  assert.deepEqual(await differences([most, parent('ONE', ['3'], ['4'])], [tooMany]), []);
});

test('unexpected variants and a missing rejection are differences', async () => {
  const generated = parent('P', ['0', '1'], ['2']);
  const other = { ...generated, variants: generated.variants.toReversed() };
  const texts = await differences([other], [parent('Q', ['0'], ['0'])]);
  assert.ok(
    texts.includes('generate variants | P.variants.0.sku is "P-0-2", expected was "P-1-2"'),
    texts.join('\n'),
  );
  assert.ok(texts.includes('refuse above 500 | Q: answered 200, expected was 422'));
  assert.ok(texts.includes('refuse above 500 | Q: the message does not say 500'));
  assert.equal(texts.filter((text) => text.startsWith('plan variants')).length, 0);
});
