import fc from 'fast-check';
import type { AxisSelection } from '../../axis-selection/axis-selection.ts';

/** Returns a selection of these axes and values in this order; the ids are in a different order. */
export function selectionOf(axes: Readonly<Record<string, readonly string[]>>): AxisSelection {
  const entries = Object.entries(axes);
  return entries.map(([code, values], position) => ({
    id: 100 + (((entries.length - position) * 7) % 101),
    code,
    label: null,
    position,
    isActive: true,
    values: values.map((value, index) => ({
      id: 1_000 * (position + 1) + index,
      value,
      label: null,
      position: index,
      isActive: true,
    })),
  }));
}

const name = fc.stringMatching(/^[a-zA-Z0-9._-]{1,8}$/);
// Names that have a meaning in JavaScript.
const oddName = fc.constantFrom('__proto__', 'constructor', '0', '1', 'length', 'sku', '-');

/** An arbitrary selection of up to 4 axes with up to 4 values each. */
export const anySelection = fc
  .uniqueArray(
    fc.tuple(
      fc.oneof(name, oddName),
      fc.uniqueArray(fc.oneof(name, oddName), { minLength: 1, maxLength: 4 }),
    ),
    { minLength: 1, maxLength: 4, selector: ([code]) => code },
  )
  .map((axes) =>
    axes.map(([code, values], position) => ({
      id: 17 * (axes.length - position),
      code,
      label: null,
      position,
      isActive: true,
      values: values.map((value, index) => ({
        id: 5 + index,
        value,
        label: null,
        position: 0,
        isActive: true,
      })),
    })),
  );
