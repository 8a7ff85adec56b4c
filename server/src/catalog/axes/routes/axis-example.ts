const moment = { created_at: '2026-03-01T08:30:00.000Z', updated_at: '2026-03-01T08:30:00.000Z' };
const red = { value: 'red', label: 'Red', position: 0, is_active: true, ...moment };
const blue = { value: 'blue', label: 'Blue', position: 1, is_active: true, ...moment };

/** What the reference shows for axes. */
export const axisExample = {
  axis: { code: 'color', label: 'Colour', position: 0, is_active: true, values: [red, blue], ...moment },
  value: red,
  create: {
    code: 'color',
    label: 'Colour',
    values: [
      { value: 'red', label: 'Red' },
      { value: 'blue', label: 'Blue' },
    ],
  },
  createValue: { value: 'red', label: 'Red' },
  update: { label: 'Colour', position: 2, is_active: false },
};
