import { type Static, Type } from 'typebox';
import { NamedObject, Nullable, Text } from '../../api/field-schemas.ts';
import {
  type AxisSelection,
  maxSelectedAxes,
  maxSelectedValues,
  type SelectedAxis,
} from './axis-selection.ts';

/** The body of PUT axes [catalog-38] [catalog-131]. */
export const ReplaceProductAxesBody = NamedObject('ProductAxesReplace', {
  axes: Type.Array(
    Type.Object({
      code: Text({ max: 64, description: 'An axis of the brand.', examples: ['color'] }),
      values: Type.Array(Text({ max: 64 }), {
        minItems: 1,
        maxItems: maxSelectedValues,
        description: 'Values of the axis, in any order. They are returned in the library’s order.',
        examples: [['red', 'blue']],
      }),
    }),
    {
      maxItems: maxSelectedAxes,
      'x-maxValues': maxSelectedValues,
      description: `The complete selection, in the product’s order. Omitted axes are detached. At most 1,000 values in all.`,
    },
  ),
});

const summaryFields = {
  code: Type.String(),
  label: Nullable(Type.String()),
  position: Type.Integer({ description: 'The position of the axis on this product, starting at 0.' }),
};

const valueFields = {
  value: Type.String(),
  label: Nullable(Type.String()),
  position: Type.Integer({ description: 'The axis’s label in the library.' }),
};

const isActive = Type.Boolean({ description: 'From the library; an inactive one stays where it is in use.' });

/** An axis on the product detail [catalog-4]. */
export const AxisSummaryWire = NamedObject('AxisSummary', {
  ...summaryFields,
  values: Type.Array(Type.Object(valueFields), { description: 'The selected values.' }),
});

/** An axis as GET and PUT of the selection show it [catalog-40]. */
const EffectiveAxisWire = NamedObject('EffectiveAxis', {
  ...summaryFields,
  is_active: isActive,
  values: Type.Array(Type.Object({ ...valueFields, is_active: isActive }), {
    description: 'The selected values, ordered by the library’s position, then value.',
  }),
});

export const EffectiveAxesWire = NamedObject('EffectiveAxes', { data: Type.Array(EffectiveAxisWire) });

export function axisSummaryToWire(axis: SelectedAxis): Static<typeof AxisSummaryWire> {
  const values = axis.values.map(({ value, label, position }) => ({ value, label, position }));
  return { code: axis.code, label: axis.label, position: axis.position, values };
}

export function effectiveAxesToWire(selection: AxisSelection): Static<typeof EffectiveAxesWire> {
  return {
    data: selection.map(({ code, label, position, isActive, values }) => ({
      code,
      label,
      position,
      is_active: isActive,
      values: values.map((selected) => ({
        value: selected.value,
        label: selected.label,
        position: selected.position,
        is_active: selected.isActive,
      })),
    })),
  };
}

const exampleValue = (name: string, label: string, position: number) => ({
  value: name,
  label,
  position,
  is_active: true,
});

export const axisSelectionExample = {
  effective: {
    data: [
      {
        code: 'color',
        label: 'Colour',
        position: 0,
        is_active: true,
        values: [exampleValue('red', 'Red', 0), exampleValue('blue', 'Blue', 1)],
      },
      {
        code: 'size',
        label: 'Size',
        position: 1,
        is_active: true,
        values: [exampleValue('s', 'S', 0), exampleValue('m', 'M', 1), exampleValue('l', 'L', 2)],
      },
    ],
  },
  replace: {
    axes: [
      { code: 'color', values: ['red', 'blue'] },
      { code: 'size', values: ['s', 'm', 'l'] },
    ],
  },
};
