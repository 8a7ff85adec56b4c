import { invalidField } from '../../errors/api-error.ts';
import type { AxisValues } from './variant.ts';

/** A part of a SKU: a fixed string, the product's SKU, or the value of an axis. */
export type SkuPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'product' }
  | { readonly kind: 'axis'; readonly code: string };

type SkuTemplate = readonly SkuPart[];

const separator: SkuPart = { kind: 'text', text: '-' };

/** Returns a template of the product's SKU and every axis in order: `{sku}-{color}-{size}` [catalog-64]. */
export function defaultSkuTemplate(codes: readonly string[]): SkuTemplate {
  return [{ kind: 'product' }, ...codes.flatMap((code): SkuPart[] => [separator, { kind: 'axis', code }])];
}

/**
 * Parses a template with `{sku}`, the product's SKU even if an axis is named sku, and one `{<axis_code>}` for each axis, which
 * may be omitted or repeated.
 * @throws ApiError `validation_failed` on `sku_template` for an unknown placeholder or an unmatched brace, which would end up
 *   in SKUs that stay taken permanently
 */
export function parseSkuTemplate(template: string, codes: readonly string[]): SkuTemplate {
  // The capture makes split() keep the placeholders, at the odd indexes.
  return template.split(/\{([^{}]*)\}/).flatMap((text, index): SkuPart[] => {
    if (index % 2 === 0) {
      if (/[{}]/.test(text)) throw invalidTemplate('has an unmatched brace');
      return text === '' ? [] : [{ kind: 'text', text }];
    }
    if (text === 'sku') return [{ kind: 'product' }];
    if (!codes.includes(text)) throw invalidTemplate(`has the unknown placeholder {${text}}`);
    return [{ kind: 'axis', code: text }];
  });
}

export function renderSku(template: SkuTemplate, productSku: string, axisValues: AxisValues): string {
  return template
    .map((part) => {
      if (part.kind === 'text') return part.text;
      return part.kind === 'product' ? productSku : axisValues[part.code];
    })
    .join('');
}

/** The field is `sku_template` also when the client omitted it and the default applied. */
export function invalidTemplate(message: string) {
  return invalidField('sku_template', message);
}
