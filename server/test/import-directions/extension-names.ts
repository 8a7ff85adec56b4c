import { isInExtension, type SourceFile } from './source-imports.ts';

/** The only files of the core that name an extension: its setting or variable, its records in PostgreSQL, and its import. */
const namingFiles = [
  'analytics/store/events-store.ts',
  'config.ts',
  'config.ts',
  'serve/load-extensions.ts',
  'tests/config.test.ts',
];

/** Returns the files of the core that name one of the extensions although they may not, and those that no longer do. */
export function namingBreachesIn(files: readonly SourceFile[], extensions: readonly string[]): string[] {
  const names = new RegExp(extensions.join('|'), 'i');
  const naming = files.filter((file) => !isInExtension(file.path) && names.test(file.path + file.text));
  const paths = naming.map(({ path }) => path);
  return [
    ...paths.filter((path) => !namingFiles.includes(path)).map((path) => `${path} names an extension`),
    ...namingFiles
      .filter((path) => !paths.includes(path))
      .map((path) => `${path} may name an extension and names none`),
  ];
}
