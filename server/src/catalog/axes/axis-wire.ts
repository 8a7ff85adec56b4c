import { type Static, Type } from 'typebox';
import { NamedObject, Nullable, Prohibited, Text, Timestamp } from '../../api/field-schemas.ts';
import {
  type Axis,
  type AxisFields,
  type AxisValue,
  maxAxisValues,
  maxPosition,
  type NewAxis,
  type NewAxisValue,
} from './axis.ts';

const namePattern = '^[a-zA-Z0-9._-]+$';

/** An axis code or value [catalog-27]. `format` describes what a new one must match in addition to the pattern. */
function AxisName(options: { description: string; examples?: string[]; format?: string }) {
  return Type.String({ minLength: 1, maxLength: 64, pattern: namePattern, ...options });
}

const code = AxisName({
  format: 'path-segment',
  description: 'Unique in the brand and immutable. Case-sensitive. Not `.` or `..`.',
  examples: ['color'],
});
const value = AxisName({
  format: 'path-segment',
  description: 'Unique on its axis and immutable. Case-sensitive. Not `.` or `..`.',
  examples: ['red'],
});

export const AxisParams = Type.Object({
  code: AxisName({ description: 'The axis’s `code`.', examples: ['material'] }),
});

/** Like `AxisParams`, for the paths of values: the example is an axis whose values are often added and removed. */
export const AxisOfValueParams = Type.Object({
  code: AxisName({ description: 'The axis’s `code`.', examples: ['color'] }),
});

export const AxisValueParams = Type.Object({
  ...AxisOfValueParams.properties,
  value: AxisName({ description: 'The axis value’s `value`.', examples: ['black'] }),
});

const label = Type.Optional(Nullable(Text({ max: 255 }), { description: 'Display name.' }));
const position = Type.Optional(
  Type.Integer({ minimum: 0, maximum: maxPosition, description: 'Sort order in lists.' }),
);
const newPosition = Type.Optional(
  Type.Integer({ minimum: 0, maximum: maxPosition, description: 'Default: the next free position.' }),
);
const isActive = Type.Optional(
  Type.Boolean({
    description: 'An inactive axis or value cannot be newly attached to products; existing uses are kept.',
  }),
);

export const CreateAxisValueBody = NamedObject('AxisValueCreate', { value, label, position: newPosition });

export const CreateAxisBody = NamedObject('AxisCreate', {
  code,
  label,
  position: newPosition,
  values: Type.Optional(
    Type.Array(CreateAxisValueBody, {
      maxItems: maxAxisValues,
      description: 'Created together with the axis.',
    }),
  ),
});

export const UpdateAxisBody = NamedObject('AxisUpdate', {
  code: Prohibited('the code of an axis cannot be changed.'),
  label,
  position,
  is_active: isActive,
});

export const UpdateAxisValueBody = NamedObject('AxisValueUpdate', {
  value: Prohibited('the value cannot be changed.'),
  label,
  position,
  is_active: isActive,
});

const fields = {
  label: Nullable(Type.String()),
  position: Type.Integer(),
  is_active: Type.Boolean(),
};
const timestamps = { created_at: Timestamp(), updated_at: Timestamp() };

export const AxisValueWire = NamedObject('AxisValue', { value: Type.String(), ...fields, ...timestamps });

export const AxisWire = NamedObject('Axis', {
  code: Type.String(),
  ...fields,
  values: Type.Array(AxisValueWire, { description: 'Ordered by position, then value.' }),
  ...timestamps,
});

export function newAxisFromWire(body: Static<typeof CreateAxisBody>): NewAxis {
  return {
    code: body.code,
    label: body.label ?? null,
    position: body.position ?? null,
    values: (body.values ?? []).map(newAxisValueFromWire),
  };
}

export function newAxisValueFromWire(body: Static<typeof CreateAxisValueBody>): NewAxisValue {
  return { value: body.value, label: body.label ?? null, position: body.position ?? null };
}

/** Absent fields stay absent; `label: null` clears the label. */
export function axisFieldsFromWire(
  body: Pick<Static<typeof UpdateAxisBody>, 'label' | 'position' | 'is_active'>,
): Partial<AxisFields> {
  return {
    ...(body.label !== undefined && { label: body.label }),
    ...(body.position !== undefined && { position: body.position }),
    ...(body.is_active !== undefined && { isActive: body.is_active }),
  };
}

export function axisToWire(axis: Axis): Static<typeof AxisWire> {
  return {
    code: axis.code,
    label: axis.label,
    position: axis.position,
    is_active: axis.isActive,
    values: axis.values.map(axisValueToWire),
    created_at: axis.createdAt.toISOString(),
    updated_at: axis.updatedAt.toISOString(),
  };
}

export function axisValueToWire(axisValue: AxisValue): Static<typeof AxisValueWire> {
  return {
    value: axisValue.value,
    label: axisValue.label,
    position: axisValue.position,
    is_active: axisValue.isActive,
    created_at: axisValue.createdAt.toISOString(),
    updated_at: axisValue.updatedAt.toISOString(),
  };
}

const moment = { created_at: '2026-03-01T08:30:00.000Z', updated_at: '2026-03-01T08:30:00.000Z' };

const exampleValue = (name: string, label: string, position: number) => ({
  value: name,
  label,
  position,
  is_active: true,
  ...moment,
});

export const axisExample = {
  axis: {
    code: 'color',
    label: 'Colour',
    position: 0,
    is_active: true,
    values: [
      exampleValue('red', 'Red', 0),
      exampleValue('blue', 'Blue', 1),
      exampleValue('black', 'Black', 2),
    ],
    ...moment,
  },
  create: {
    code: 'fit',
    label: 'Fit',
    values: [
      { value: 'regular', label: 'Regular' },
      { value: 'slim', label: 'Slim' },
    ],
  },
  created: {
    code: 'fit',
    label: 'Fit',
    position: 3,
    is_active: true,
    values: [exampleValue('regular', 'Regular', 0), exampleValue('slim', 'Slim', 1)],
    ...moment,
  },
  update: { label: 'Fabric', position: 5, is_active: false },
  updated: {
    code: 'material',
    label: 'Fabric',
    position: 5,
    is_active: false,
    values: [exampleValue('cotton', 'Cotton', 0)],
    ...moment,
  },
  createValue: { value: 'green', label: 'Green' },
  createdValue: exampleValue('green', 'Green', 3),
  updateValue: { label: 'Jet black' },
  updatedValue: exampleValue('black', 'Jet black', 2),
};
