/** The areas by which lines are counted, in the order of the report. Text of other kinds, such as settings, counts as none. */
export const areas = ['product', 'tests', 'dumps', 'docs', 'generated'] as const;

export type Area = (typeof areas)[number];

const generated = [
  /(^|\/)package-lock\.json$/,
  /^server\/openapi(-internal)?\.json$/,
  /^server\/schema\.sql$/,
  /^client\/src\/generated\//,
];

/** Returns the area of a tracked file by its path; null: it is counted in none. */
export function areaOf(path: string): Area | null {
  if (generated.some((pattern) => pattern.test(path))) return 'generated';
  if (path.endsWith('.md')) return 'docs';
  if (!/\.(tsx?|js|sql|css|html|sh)$/.test(path)) return null;
  if (path.startsWith('server/database/tests/states/')) return 'dumps';
  return /(^|\/)tests?\//.test(path) ? 'tests' : 'product';
}

/**
 * Returns the part of the repository that a file belongs to: its package, or its folder of `server/src`, `server` or
 * `extensions`.
 */
export function partOf(path: string): string {
  const folders = path.split('/').slice(0, -1);
  const [first = '(root)', second, third] = folders;
  if (first === 'server' && second === 'src') return `server/src/${third ?? '*'}`;
  if (first === 'server' || first === 'extensions') return [first, second].filter(Boolean).join('/');
  return first;
}
