import { VersionedEntries } from '../lib/versioned-entries.ts';
import type { Queryable } from '../postgres/database.ts';
import { type ListedContent, listListedContents, listShownLearners } from './directory-reads-store.ts';

/** Learners of all brands: some 5 MB. */
const mostLearners = 50_000;
const mostContents = 10_000;

interface DirectoryAt {
  readonly database: Queryable;
  readonly brandId: number;
  /** The version that `findDirectoryVersion` returned for this request. */
  readonly version: string;
}

/**
 * The learners and contents that rows show. Those read before are looked up in memory, since the version of the directory,
 * which every page reads, changes with each opt-out, deletion, listing and name [D212]. 500 learners take PostgreSQL 1 ms, a
 * third of a page.
 */
export class ShownDirectory {
  readonly #learners = new VersionedEntries<string>(mostLearners);
  readonly #contents = new VersionedEntries<ListedContent>(mostContents);

  /** Returns the public ids of the given learners that may be shown. */
  learners({ database, ...at }: DirectoryAt, ids: Iterable<number>): Promise<ReadonlyMap<number, string>> {
    return this.#learners.read(at, ids, (missing) => listShownLearners(database, at.brandId, missing));
  }

  /** Returns the given contents that the directory lists; the others are orphaned references. */
  contents(
    { database, ...at }: DirectoryAt,
    ids: Iterable<number>,
  ): Promise<ReadonlyMap<number, ListedContent>> {
    return this.#contents.read(at, ids, (missing) => listListedContents(database, at.brandId, missing));
  }
}
