/** A feed of this many lines; their SKUs begin with `prefix`. */
export function feedOf(lines: number, prefix: string, location = 'main'): string {
  const parts = Array.from(
    { length: lines },
    (_, n) => `{"sku":"${prefix}-${n}","location_code":"${location}","quantity":${n % 100}}`,
  );
  return `{"source":"erp","mode":"snapshot","lines":[${parts.join(',')}]}`;
}
