import type { WantedSelection } from '../wanted/wanted.ts';

type AxisValues = Readonly<Record<string, string>>;

/** The template that the service uses without one. */
export function defaultTemplate(codes: readonly string[]): string {
  return ['{sku}', ...codes.map((code) => `{${code}}`)].join('-');
}

/** Returns the SKU that a generation gives a combination. */
export function renderSku(template: string, productSku: string, axisValues: AxisValues): string {
  return template.replaceAll(/\{([^{}]*)\}/g, (_match, name: string) =>
    name === 'sku' ? productSku : (axisValues[name] ?? ''),
  );
}

/**
 * Finds a template that gives each of the combinations its SKU: the default one, or one that replaces the product's SKU
 * and the values in a SKU by placeholders. null if there is none.
 */
export function findTemplate(
  productSku: string,
  codes: readonly string[],
  variants: readonly { readonly sku: string; readonly axisValues: AxisValues }[],
): string | null {
  const [first] = variants;
  if (first === undefined) return null;
  const fits = (template: string) =>
    variants.every(({ sku, axisValues }) => renderSku(template, productSku, axisValues) === sku);
  return [defaultTemplate(codes), ...inferred(productSku, codes, first)].find(fits) ?? null;
}

/** Longer values are replaced first, so that `S` does not take a letter of `XS` or of the product's SKU. */
function inferred(
  productSku: string,
  codes: readonly string[],
  { sku, axisValues }: { readonly sku: string; readonly axisValues: AxisValues },
): string[] {
  if (/[{}]/.test(sku)) return [];
  const names: [string, string][] = [
    [productSku, '{sku}'],
    ...codes.map((code): [string, string] => [axisValues[code] ?? '', `{${code}}`]),
  ];
  const replaced = (order: readonly [string, string][]) =>
    order.reduce(
      (parts, [value, placeholder]) =>
        parts.flatMap((part) => (isPlaceholder(part) ? [part] : split(part, value, placeholder))),
      [sku],
    );
  const byLength = names.toSorted(([a], [b]) => b.length - a.length);
  return [replaced(byLength), replaced(names)].map((parts) => parts.join(''));
}

function split(text: string, value: string, placeholder: string): string[] {
  const at = value === '' ? -1 : text.lastIndexOf(value);
  if (at < 0) return [text];
  return [text.slice(0, at), placeholder, text.slice(at + value.length)].filter((part) => part !== '');
}

function isPlaceholder(part: string): boolean {
  return part.startsWith('{');
}

/** Returns all combinations of a selection, the first axis slowest. */
export function combinations(selection: WantedSelection): Record<string, string>[] {
  return selection.reduce<Record<string, string>[]>(
    (rows, { code, values }) => rows.flatMap((row) => values.map((value) => ({ ...row, [code]: value }))),
    [{}],
  );
}

export function countCombinations(selection: WantedSelection): number {
  return selection.length === 0 ? 0 : selection.reduce((count, { values }) => count * values.length, 1);
}
