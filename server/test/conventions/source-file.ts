/** A file of TypeScript, by its path from the root of the repository. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** What is wrong in a file, one sentence each; the path is not part of it. */
export type Rule = (file: SourceFile) => string[];
