import type { Axis, AxisValue, StockLocation } from '@brandport/client';
import type { WantedAxisRow, WantedLocation } from '../wanted/wanted.ts';
import type { LibraryStep } from './plan-types.ts';
import type { StepKeys } from './step-keys.ts';

/** Returns the writes that give the library the axes and values of the rows. Nothing is deleted. */
export async function planAxes(
  rows: readonly WantedAxisRow[],
  stored: readonly Axis[],
  keys: StepKeys,
): Promise<LibraryStep[]> {
  const steps: LibraryStep[] = [];
  const byCode = new Map(stored.map((axis) => [axis.code, axis]));
  const valuesByCode = new Map<string, WantedAxisRow[]>();
  for (const row of rows)
    valuesByCode.set(row.code, [...(valuesByCode.get(row.code) ?? []), ...(row.value === null ? [] : [row])]);
  for (const [code, values] of valuesByCode) {
    const own = rows.find((row) => row.code === code && row.value === null);
    const axis = byCode.get(code);
    if (axis === undefined) {
      const body = {
        code,
        ...created(own),
        ...(values.length > 0 && {
          values: values.map((row) => ({ value: row.value ?? '', ...created(row) })),
        }),
      };
      steps.push({ do: 'create_axis', key: await keys.key(`axis ${code}`, 0, body), body });
      if (own?.isActive === false) steps.push({ do: 'update_axis', code, body: { is_active: false } });
      for (const { value, isActive } of values)
        if (isActive === false)
          steps.push({ do: 'update_value', code, value: value ?? '', body: { is_active: false } });
      continue;
    }
    const changes = own === undefined ? null : changesOf(own, axis);
    if (changes !== null) steps.push({ do: 'update_axis', code, body: changes });
    for (const row of values) steps.push(...(await valueSteps(row, axis, keys)));
  }
  return steps;
}

async function valueSteps(row: WantedAxisRow, axis: Axis, keys: StepKeys): Promise<LibraryStep[]> {
  const { code } = axis;
  const value = row.value ?? '';
  const known = axis.values.find((one) => one.value === value);
  if (known !== undefined) {
    const changes = changesOf(row, known);
    return changes === null ? [] : [{ do: 'update_value', code, value, body: changes }];
  }
  const body = { value, ...created(row) };
  const key = await keys.key(`axis ${code}`, 0, body);
  const steps: LibraryStep[] = [{ do: 'create_value', key, code, body }];
  if (row.isActive === false) steps.push({ do: 'update_value', code, value, body: { is_active: false } });
  return steps;
}

function created(row: WantedAxisRow | undefined) {
  return {
    ...(row?.label !== undefined && { label: row.label }),
    ...(row?.position !== undefined && { position: row.position }),
  };
}

function changesOf({ label, position, isActive }: WantedAxisRow, stored: Axis | AxisValue) {
  const changes = {
    ...(label !== undefined && label !== stored.label && { label }),
    ...(position !== undefined && position !== stored.position && { position }),
    ...(isActive !== undefined && isActive !== stored.is_active && { is_active: isActive }),
  };
  return Object.keys(changes).length === 0 ? null : changes;
}

/** Returns the writes that create or change the stock locations of the rows. */
export async function planLocations(
  wanted: Iterable<WantedLocation>,
  stored: readonly StockLocation[],
  keys: StepKeys,
): Promise<LibraryStep[]> {
  const steps: LibraryStep[] = [];
  for (const { code, name, isActive } of wanted) {
    const known = stored.find(({ external_code: external }) => external === code);
    const body = {
      ...(name !== undefined && name !== known?.name && { name }),
      ...(isActive !== undefined && isActive !== known?.is_active && { is_active: isActive }),
    };
    if (known === undefined) {
      const full = { external_code: code, ...body };
      steps.push({ do: 'create_location', key: await keys.key(`location ${code}`, 0, full), body: full });
    } else if (Object.keys(body).length > 0) steps.push({ do: 'update_location', code, body });
  }
  return steps;
}
