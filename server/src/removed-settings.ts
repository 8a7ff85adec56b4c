/**
 * Settings of earlier versions and what to use instead, as a sentence. The start refuses them, so that an operator
 * learns from the upgrade, not from an incident, that a setting has no effect any more.
 */
export const removedSettings: ReadonlyMap<string, string> = new Map([
  ['BRANDPORT_CELL', 'The catalog has one PostgreSQL; see docs/scale.md for what outgrows it.'],
]);
