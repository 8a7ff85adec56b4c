/** The words of the audit. */
export const messages = {
  title: 'Audit',
  lead: 'Every change on the internal surface: who, when, from where, on what.',
  table: 'Changes',
  at: 'When',
  actor: 'Who',
  action: 'Action',
  brand: 'Brand',
  resource: 'Resource',
  change: 'Change',
  request: 'Request',
  csv: 'CSV',
  filters: {
    actor: 'Who',
    action: 'Action',
    resource: 'Resource id',
    signIns: 'Sign-ins',
    withoutSignIns: 'Left out',
  },
  nobody: 'before actors were recorded',
  empty: 'Nothing has been changed yet',
  noneMatch: 'No change matches the filters',
} as const;
