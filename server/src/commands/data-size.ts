const units = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** Formats a number of bytes for people: `512 bytes`, `4.2 MB`. A unit is 1,000 of the one before it. */
export function dataSize(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  return `${power === 0 ? bytes : (bytes / 1000 ** power).toFixed(1)} ${units[power]}`;
}
