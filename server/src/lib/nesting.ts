/** Returns whether objects and arrays are nested more than `levels` deep; the value itself is the first level. */
export function isNestedDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const key in value)
    if (isNestedDeeperThan((value as Record<string, unknown>)[key], levels - 1)) return true;
  return false;
}
