import type { DirectoryContent } from '../learning-data.ts';

/** The directory data that the expected rows need. */
export interface ExpectedDirectory {
  readonly markets: readonly string[];
  readonly contents: ReadonlyMap<string, DirectoryContent>;
  readonly totalUsers: number;
  readonly live: { readonly episodes: number; readonly programs: number; readonly quests: number };
}

export const contentKey = ({ type, tu_id }: { type: string; tu_id: string }): string => `${type}/${tu_id}`;
