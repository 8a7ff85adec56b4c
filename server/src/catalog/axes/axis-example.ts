const moment = { created_at: '2026-03-01T08:30:00.000Z', updated_at: '2026-03-01T08:30:00.000Z' };

const value = (name: string, label: string, position: number) => ({
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
    values: [value('red', 'Red', 0), value('blue', 'Blue', 1), value('black', 'Black', 2)],
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
    values: [value('regular', 'Regular', 0), value('slim', 'Slim', 1)],
    ...moment,
  },
  update: { label: 'Fabric', position: 5, is_active: false },
  updated: {
    code: 'material',
    label: 'Fabric',
    position: 5,
    is_active: false,
    values: [value('cotton', 'Cotton', 0)],
    ...moment,
  },
  createValue: { value: 'green', label: 'Green' },
  createdValue: value('green', 'Green', 3),
  updateValue: { label: 'Jet black' },
  updatedValue: value('black', 'Jet black', 2),
};
