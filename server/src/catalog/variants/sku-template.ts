import { invalidField } from '../../errors/api-error.ts';
import type { AxisValues } from './combination.ts';

/** What a SKU is put together from: texts that stay, the product's SKU, the value of an axis. */
export type SkuPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'product' }
  | { readonly kind: 'axis'; readonly code: string };

export type SkuTemplate = readonly SkuPart[];

const separator: SkuPart = { kind: 'text', text: '-' };

/** The product's SKU and every axis in order: `{sku}-{color}-{size}` [catalog-64]. */
export function defaultSkuTemplate(codes: readonly string[]): SkuTemplate {
  return [{ kind: 'product' }, ...codes.flatMap((code): SkuPart[] => [separator, { kind: 'axis', code }])];
}

/**
 * Reads `{sku}` and one `{<axis_code>}` for each axis out of a template. `{sku}` is the product's also where an axis is
 * named sku. A placeholder may be left out or stand there twice; what the SKUs look like then is checked by itself.
 * @throws ApiError `validation_failed` on `sku_template` for an unknown placeholder or a brace that belongs to none:
 *   both are slips that would otherwise end up in SKUs, which stay taken for good.
 */
export function parseSkuTemplate(template: string, codes: readonly string[]): SkuTemplate {
  // The capture makes split() keep the placeholders, at the odd places.
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

/** The problem of a template, under the field by which a client sent it, or left it to its default. */
export function invalidTemplate(message: string) {
  return invalidField('sku_template', message);
}
