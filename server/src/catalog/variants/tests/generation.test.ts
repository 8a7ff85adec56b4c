import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../../../test/support/any-text.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { generationCandidates, listCombinations } from '../generation-candidates.ts';
import { defaultSkuTemplate, parseSkuTemplate, renderSku, type SkuPart } from '../sku-template.ts';
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

const codes = ['color', 'size', 'a.b'];
const values = { color: 'red', size: 'xl', 'a.b': 'c.d' };
const render = (template: string) => renderSku(parseSkuTemplate(template, codes), 'TEE', values);

const isRefused = (template: string) =>
  assert.throws(
    () => parseSkuTemplate(template, codes),
    (error) =>
      error instanceof ApiError &&
      error.code === 'validation_failed' &&
      Object.keys(error.details.errors ?? {}).join() === 'sku_template',
  );

describe('a SKU template', () => {
  // [catalog-64]
  it('inserts the product’s SKU and the values, at every occurrence of their placeholders', () => {
    assert.equal(render('{sku}-{color}-{size}'), 'TEE-red-xl');
    assert.equal(render('{size}{size}/{a.b} {color} 🦊{sku}'), 'xlxl/c.d red 🦊TEE');
    assert.equal(render('plain'), 'plain');
  });

  it('does not parse the values that it inserts', () => {
    assert.equal(renderSku(parseSkuTemplate('{sku}-{color}', codes), '{size}', values), '{size}-red');
    assert.equal(renderSku(parseSkuTemplate('{sku}', codes), '$&$1', values), '$&$1');
  });

  // [catalog-65]
  it('refuses a placeholder that is neither sku nor an axis of the product', () => {
    for (const template of [
      '{colour}',
      '{sku}-{Color}',
      '{ color }',
      '{}',
      '{SKU}',
      '{sku.color}',
      '{__proto__}',
    ])
      isRefused(template);
  });

  it('refuses an unmatched brace', () => {
    for (const template of ['{', '}', '{sku', 'sku}', '{sku}}', '{{sku}}', '{sku}-{color', '}{'])
      isRefused(template);
  });

  it('uses the product’s SKU for {sku} even if an axis is named sku', () => {
    const template = parseSkuTemplate('{sku}', ['sku']);
    assert.equal(renderSku(template, 'TEE', { sku: 'axis' }), 'TEE');
  });

  // [catalog-64]
  it('defaults to the product’s SKU and every axis in order, even one that is named sku', () => {
    assert.equal(renderSku(defaultSkuTemplate(codes), 'TEE', values), 'TEE-red-xl-c.d');
    assert.equal(renderSku(defaultSkuTemplate(['sku']), 'TEE', { sku: 'axis' }), 'TEE-axis');
  });

  it('renders like a replacement of placeholder by placeholder', () => {
    const literal = anyText().map((text) => text.replaceAll(/[{}]/g, ''));
    const cases = anySelection.chain((selection) => {
      const all = ['sku', ...selection.map(({ code }) => code)];
      return fc.record({
        combination: fc.constantFrom(...listCombinations(selection)),
        codes: fc.constant(all),
        pieces: fc.array(
          fc.oneof(
            literal.map((text) => ({ text })),
            fc.constantFrom(...all).map((placeholder) => ({ placeholder })),
          ),
        ),
      });
    });
    fc.assert(
      fc.property(cases, fc.string(), ({ combination, codes: known, pieces }, sku) => {
        const template = pieces
          .map((piece) => ('text' in piece ? piece.text : `{${piece.placeholder}}`))
          .join('');
        const expected = pieces
          .map((piece) => {
            if ('text' in piece) return piece.text;
            return piece.placeholder === 'sku' ? sku : combination[piece.placeholder];
          })
          .join('');
        assert.equal(renderSku(parseSkuTemplate(template, known), sku, combination), expected);
      }),
    );
  });

  it('of arbitrary characters is either refused or rendered from its own characters', () => {
    const text = fc.string({ unit: fc.constantFrom('{', '}', 'sku', 'color', '-', 'é', '🦊') });
    const written = (part: SkuPart) => {
      if (part.kind === 'text') return part.text;
      return part.kind === 'product' ? '{sku}' : `{${part.code}}`;
    };
    fc.assert(
      fc.property(text, (template) => {
        try {
          assert.equal(parseSkuTemplate(template, codes).map(written).join(''), template);
        } catch (error) {
          assert.ok(error instanceof ApiError, String(error));
        }
      }),
    );
  });
});
