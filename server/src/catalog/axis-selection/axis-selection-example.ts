const value = (name: string, label: string, position: number) => ({
  value: name,
  label,
  position,
  is_active: true,
});

/** The example of a product's axis selection in the API reference. */
export const axisSelectionExample = {
  effective: {
    data: [
      {
        code: 'color',
        label: 'Colour',
        position: 0,
        is_active: true,
        values: [value('red', 'Red', 0), value('blue', 'Blue', 1)],
      },
      {
        code: 'size',
        label: 'Size',
        position: 1,
        is_active: true,
        values: [value('s', 'S', 0), value('m', 'M', 1), value('l', 'L', 2)],
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
