import type { Day } from '../day.ts';
import type { DirectoryContent } from '../learning-data.ts';

/** The key of a row of any dataset, except the day; keys that a dataset does not have are absent. */
export interface Row {
  readonly date: Day;
  readonly user?: { readonly tu_id: string };
  readonly content?: { readonly tu_id: string; readonly type: string; readonly name?: string | null } | null;
  readonly market?: { readonly tu_id: string } | null;
}

/** An expected row as served, and the data that must not be visible in it. */
export interface ExpectedRow {
  readonly row: Row & Readonly<Record<string, unknown>>;
  /** The content's `type`, which the row of an orphaned reference does not have. */
  readonly contentType?: string;
}

export type DatasetName = 'daily' | 'contents' | 'users' | 'content_engagement';

/** The directory data that the expected rows need. */
export interface ExpectedDirectory {
  readonly markets: readonly string[];
  readonly contents: ReadonlyMap<string, DirectoryContent>;
  readonly totalUsers: number;
  readonly live: { readonly episodes: number; readonly programs: number; readonly quests: number };
}

export const contentKey = ({ type, tu_id }: { type: string; tu_id: string }): string => `${type}/${tu_id}`;
