/** A file of TypeScript, by its path from the root of the repository. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** The breaches in a file, one sentence each, without the path. */
export type Rule = (file: SourceFile) => string[];
