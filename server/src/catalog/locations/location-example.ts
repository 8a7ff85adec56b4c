const location = {
  external_code: 'WH-BERLIN',
  name: 'Warehouse Berlin',
  is_active: true,
  pointofsale_tu_id: 'shop-12',
  created_at: '2026-03-01T08:30:00.000Z',
  updated_at: '2026-03-01T08:30:00.000Z',
};

/** The example of a stock location in the API reference. */
export const locationExample = {
  location,
  create: { external_code: 'WH-HAMBURG', name: 'Warehouse Hamburg' },
  created: { ...location, external_code: 'WH-HAMBURG', name: 'Warehouse Hamburg', pointofsale_tu_id: null },
  update: { name: 'Warehouse Berlin-Spandau' },
  updated: { ...location, name: 'Warehouse Berlin-Spandau', updated_at: '2026-03-02T10:00:00.000Z' },
};
