import type { RowReader } from '../../input/row-reader.ts';
import type { WantedAxisRow, WantedLevel, WantedLocation, WantedVariant } from './wanted.ts';

/** Reads a row of variants: `product_sku`, `sku`, and a column such as `axis:color` for each axis. */
export function readVariant(reader: RowReader): WantedVariant | null {
  const { row } = reader;
  const productSku = reader.required('product_sku', 191);
  const sku = reader.required('sku', 191);
  // Without a prototype: an axis may be called `constructor` or `__proto__`.
  const axisValues: Record<string, string> = Object.create(null);
  for (const name of reader.names.filter((column) => column.startsWith('axis:')))
    axisValues[name.slice('axis:'.length)] = reader.text(name, 64) ?? '';
  const given = reader.raw('axis_values');
  if (typeof given === 'object' && given !== null && !Array.isArray(given))
    for (const [code, value] of Object.entries(given)) axisValues[code] = String(value);
  else if (given !== undefined) reader.refuse('axis_values is not an object of axis codes and values');
  if (Object.keys(axisValues).length === 0) reader.refuse('it has no axis values');
  const price =
    row.values['price_value'] === null ? (reader.raw('price_value') as null) : reader.price('price_value');
  const barcode = reader.clearable('barcode', 64);
  const isActive = reader.boolean('is_active');
  if (productSku === undefined || sku === undefined) return null;
  const place = { file: row.file, line: row.line };
  return { place, productSku, sku, axisValues, price, barcode, isActive };
}

/** Reads a row of axes: `axis`, and `value` for one of its values; `label`, `position` and `is_active` of either. */
export function readAxisRow(reader: RowReader): WantedAxisRow | null {
  const code = checkedCode(reader, 'axis', reader.required('axis', 64));
  const value = checkedCode(reader, 'value', reader.text('value', 64)) ?? null;
  const label = reader.clearable('label', 255);
  const position = reader.integer('position');
  const isActive = reader.boolean('is_active');
  return code === undefined ? null : { code, value, label, position, isActive };
}

/** Reads a row of stock locations: `external_code`, `name`, `is_active`. */
export function readLocation(reader: RowReader): WantedLocation | null {
  const code = reader.required('external_code', 64);
  if (code === '__default__') reader.refuse('the location __default__ cannot be written');
  const name = reader.text('name', 255);
  const isActive = reader.boolean('is_active');
  return code === undefined ? null : { code, name, isActive };
}

/** Reads a row of stock: the columns of a feed. */
export function readLevel(reader: RowReader, defaultLocation: string | undefined): WantedLevel | null {
  const { row } = reader;
  const sku = reader.required('sku', 191);
  const location =
    reader.has('location_code') || defaultLocation === undefined
      ? reader.required('location_code', 64)
      : defaultLocation;
  const quantity = reader.has('quantity') ? reader.integer('quantity') : reader.refuse('quantity is missing');
  const reserved = reader.integer('reserved');
  const updatedAt = reader.instant('updated_at');
  if (sku === undefined || location === undefined || quantity === undefined) return null;
  return { place: { file: row.file, line: row.line }, sku, location, quantity, reserved, updatedAt };
}

function checkedCode(reader: RowReader, name: string, code: string | undefined): string | undefined {
  if (code === undefined || (/^[a-zA-Z0-9._-]+$/.test(code) && code !== '.' && code !== '..')) return code;
  return reader.refuse(`${name} "${code}" has other characters than letters, digits, ".", "_" and "-"`);
}
