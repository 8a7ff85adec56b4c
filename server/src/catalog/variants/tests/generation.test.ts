import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ApiError } from '../../../errors/api-error.ts';
import { generationCandidates } from '../generation.ts';
import { anySelection, selectionOf } from './selection.ts';

const tee = selectionOf({ color: ['red', 'blue'], size: ['s', 'm'] });
const skus = (template?: string) => generationCandidates(tee, 'TEE', template).map(({ sku }) => sku);

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    const fields = Object.keys(error.details.errors ?? {});
    return [error.code, ...fields].join(' ');
  }
  return 'nothing';
}

const numbers = (count: number) => Array.from({ length: count }, (_, i) => `v${i}`);

describe('the candidates of a selection', () => {
  it('have a SKU for each combination, the first axis slowest', () => {
    assert.deepEqual(skus(), ['TEE-red-s', 'TEE-red-m', 'TEE-blue-s', 'TEE-blue-m']);
    assert.deepEqual(skus('{size}/{color}'), ['s/red', 'm/red', 's/blue', 'm/blue']);
  });

  it('do not exist without a selection', () => {
    assert.equal(
      codeOf(() => generationCandidates([], 'TEE', undefined)),
      'no_axes_selected',
    );
  });

  // [catalog-61]
  it('are limited to 500 combinations, which are counted without being listed', () => {
    assert.equal(generationCandidates(selectionOf({ a: numbers(500) }), 'P', undefined).length, 500);
    const codes = Array.from({ length: 200 }, (_, i) => `a${i}`);
    const huge = selectionOf(Object.fromEntries(codes.map((code) => [code, numbers(100)])));
    for (const [selection, count] of [
      [selectionOf({ a: numbers(501) }), 501n],
      [selectionOf({ a: numbers(3), b: numbers(167) }), 501n],
      [huge, 100n ** 200n],
    ] as const)
      assert.throws(
        () => generationCandidates(selection, 'P', '{unknown}'),
        (error) =>
          error instanceof ApiError &&
          error.code === 'variant_cap_exceeded' &&
          error.details.errors === undefined &&
          error.message.includes(`${count} `) &&
          error.message.includes('500'),
      );
  });

  // [catalog-65]
  it('are refused on sku_template if two combinations get one SKU', () => {
    for (const template of ['{sku}', 'X', '{sku}-{color}', '{size}-{size}'])
      assert.equal(
        codeOf(() => skus(template)),
        'validation_failed sku_template',
      );
    const tricky = selectionOf({ a: ['x-y', 'x'], b: ['z', 'y-z'] });
    assert.equal(
      codeOf(() => generationCandidates(tricky, 'P', undefined)),
      'validation_failed sku_template',
    );
    assert.equal(
      codeOf(() => generationCandidates(tricky, 'P', '{a}_{b}')),
      'nothing',
    );
  });

  it('are refused on sku_template if a SKU exceeds 191 characters, regardless of the cause', () => {
    const one = selectionOf({ a: ['x'] });
    const length = (template: string | undefined, productSku: string) =>
      codeOf(() => generationCandidates(one, productSku, template));
    assert.equal(length(undefined, 'p'.repeat(189)), 'nothing');
    assert.equal(length(undefined, 'p'.repeat(190)), 'validation_failed sku_template');
    assert.equal(length(`${'🦊'.repeat(190)}{a}`, 'P'), 'nothing');
    assert.equal(length(`${'🦊'.repeat(191)}{a}`, 'P'), 'validation_failed sku_template');
  });

  it('have as many different SKUs and combinations as the selection, or are refused', () => {
    fc.assert(
      fc.property(anySelection, fc.constantFrom(undefined, '{sku}', '{sku}-x'), (selection, template) => {
        const count = selection.reduce((product, { values }) => product * values.length, 1);
        const outcome = codeOf(() => generationCandidates(selection, 'P', template));
        if (template !== undefined) return assert.equal(outcome === 'nothing', count === 1);
        if (outcome !== 'nothing') return;
        const candidates = generationCandidates(selection, 'P', template);
        assert.equal(new Set(candidates.map(({ sku }) => sku)).size, count);
        assert.equal(new Set(candidates.map(({ combination }) => combination)).size, count);
      }),
    );
  });
});
