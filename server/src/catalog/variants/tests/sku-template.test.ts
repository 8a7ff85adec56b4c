import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../../../test/support/any-text.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { listCombinations } from '../combination.ts';
import { defaultSkuTemplate, parseSkuTemplate, renderSku, type SkuPart } from '../generation.ts';
import { anySelection } from './selection.ts';

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
