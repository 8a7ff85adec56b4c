import { OwnedCache } from '../lib/owned-cache.ts';
import type { Queryable } from '../postgres/database.ts';
import { statement } from '../postgres/statement.ts';
import type { Transaction } from '../postgres/transaction.ts';
import type { DirectoryAtAggregation } from './store/engine.ts';

/** All brands, oldest first. */
export async function listBrandIds(database: Queryable): Promise<number[]> {
  const rows = await database.run(
    statement<{ id: number }>('list_brand_ids', 'select id from brands order by id'),
  );
  return rows.map(({ id }) => id);
}

export async function listBrandNames(
  database: Queryable,
  brandIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const rows = await database.run(
    statement<{ id: number; name: string }>(
      'list_brand_names',
      'select id, name from brands where id = any($1::integer[])',
      [brandIds],
    ),
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Reads what an aggregation uses of the directory, in one snapshot [analytics-34]. Counting the learners may take a while. */
export async function readDirectoryAtAggregation(
  database: Queryable,
  brandId: number,
): Promise<DirectoryAtAggregation> {
  const rows = await database.run(
    statement<DirectoryAtAggregation>(
      'read_directory_at_aggregation',
      `select
         (select coalesce(json_agg(id), '[]') from markets where brand_id = $1) as "marketIds",
         (select coalesce(json_agg(id), '[]') from learners where brand_id = $1 and analytics_opt_out)
           as "excludedLearnerIds",
         (select count(*) from learners where brand_id = $1 and not analytics_opt_out) as "totalLearners",
         json_build_object(
           'episodes', c.episodes, 'programs', c.programs, 'quests', c.quests,
           'products', coalesce((select products_active from brand_catalogs where brand_id = $1), 0)
         ) as "liveContent"
       from (
         select count(*) filter (where type = 'episode') as episodes,
           count(*) filter (where type = 'program') as programs,
           count(*) filter (where type = 'quest') as quests
         from contents where brand_id = $1 and is_listed and is_live
       ) c`,
      [brandId],
      { long: true },
    ),
  );
  return rows[0] as DirectoryAtAggregation;
}

export interface ListedContent {
  readonly type: string;
  readonly tuId: string;
  readonly name: string | null;
}

/** Omits contents that the directory does not list: orphaned references. */
async function listListedContents(
  database: Queryable,
  brandId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ListedContent>> {
  if (ids.length === 0) return new Map();
  const rows = await database.run(
    statement<ListedContent & { readonly id: number }>(
      'list_listed_contents',
      `select c.id, c.type, c.tu_id as "tuId", c.name
       from unnest($2::bigint[]) as i (id)
       cross join lateral (
         select c.id, c.type, c.tu_id, c.name, c.is_listed from contents c where c.brand_id = $1 and c.id = i.id
         offset 0
       ) as c
       where c.is_listed`,
      [brandId, [...new Set(ids)]],
    ),
  );
  return new Map(rows.map(({ id, ...content }) => [id, content]));
}

export async function findListedContent(
  database: Queryable,
  brandId: number,
  type: string,
  tuId: string,
): Promise<number | null> {
  const rows = await database.run(
    statement<{ id: number }>(
      'find_listed_content',
      'select id from contents where brand_id = $1 and type = $2 and tu_id = $3 and is_listed',
      [brandId, type, tuId],
    ),
  );
  return rows[0]?.id ?? null;
}

/**
 * Returns the public ids of the learners that may be shown. One string, since neither id contains a comma: 500 learners take
 * 1.0 ms instead of 1.35 ms, and half of Node's time.
 */
async function listShownLearners(
  database: Queryable,
  brandId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const [row] = await database.run(
    statement<{ learners: string | null }>(
      'list_shown_learners',
      // "offset 0" forces one look-up for each: without table statistics, all learners of the brand were read.
      `select string_agg(l.id || ',' || l.tu_id, ',') as learners
       from unnest($2::bigint[]) as i (id)
       cross join lateral (
         select l.id, l.tu_id, l.analytics_opt_out from learners l where l.brand_id = $1 and l.id = i.id
         offset 0
       ) as l
       where not l.analytics_opt_out`,
      [brandId, `{${[...new Set(ids)].join(',')}}`],
    ),
  );
  const values = row?.learners?.split(',') ?? [];
  const shown = new Map<number, string>();
  for (let i = 0; i < values.length; i += 2) shown.set(Number(values[i]), values[i + 1] as string);
  return shown;
}

/** Returns null for a learner who is unknown, opted out or of another brand. */
export async function findShownLearner(
  database: Queryable,
  brandId: number,
  tuId: string,
): Promise<number | null> {
  const rows = await database.run(
    statement<{ id: number }>(
      'find_shown_learner',
      'select id from learners where brand_id = $1 and tu_id = $2 and not analytics_opt_out',
      [brandId, tuId],
    ),
  );
  return rows[0]?.id ?? null;
}

/** The public ids of a brand's markets by id; only that of `tuId` if it is given. */
export async function listMarketIds(
  database: Queryable,
  brandId: number,
  tuId?: string,
): Promise<ReadonlyMap<number, string>> {
  const rows = await database.run(
    statement<{ id: number; tu_id: string }>(
      'list_market_ids',
      'select id, tu_id from markets where brand_id = $1 and ($2::text is null or tu_id = $2)',
      [brandId, tuId ?? null],
    ),
  );
  return new Map(rows.map(({ id, tu_id }) => [id, tu_id]));
}

/**
 * Returns the version of what rows show of a brand's directory: which learners and contents are listed, and names of contents.
 * Read it before those rows, or in the same statement. The transaction that wrote it, the start of the server and the path of
 * the table distinguish versions that repeat after a restore [D34].
 */
export async function findDirectoryVersion(database: Queryable, brandId: number): Promise<string> {
  const rows = await database.run(
    statement<{ version: string }>(
      'find_directory_version',
      `select concat_ws('/', coalesce(v.version, 0), v.xmin::text, extract(epoch from pg_postmaster_start_time()),
         pg_relation_filepath('directory_versions')) as version
       from (select 1) as one
       left join directory_versions v on v.brand_id = $1`,
      [brandId],
    ),
  );
  return (rows[0] as { version: string }).version;
}

/** A brand has one entry of the cache. */
const entriesKey = '';

interface BrandEntries<Entry> {
  readonly version: string;
  /** null: there is no such entry. */
  readonly byId: Map<number, Entry | null>;
}

/**
 * Keeps entries by id while the version of their brand stays the same. When there are too many, those of the brand with the most
 * go.
 */
export class VersionedEntries<Entry> {
  readonly #brands: OwnedCache<number, BrandEntries<Entry>>;

  /** @param most the entries that are kept */
  constructor(most: number) {
    this.#brands = new OwnedCache(most);
  }

  /** The number of entries that are kept, including those that do not exist. */
  get size(): number {
    return this.#brands.size;
  }

  /**
   * Entries that are not kept at `version` are read by `readMissing`.
   * @param version read before this call, from the database that `readMissing` reads
   */
  async read(
    { brandId, version }: { readonly brandId: number; readonly version: string },
    ids: Iterable<number>,
    readMissing: (ids: number[]) => Promise<ReadonlyMap<number, Entry>>,
  ): Promise<ReadonlyMap<number, Entry>> {
    const found = new Map<number, Entry>();
    const missing = new Set<number>();
    const kept = this.#entriesOf(brandId, version);
    for (const id of ids) {
      const entry = kept?.get(id);
      if (entry === undefined) missing.add(id);
      else if (entry !== null) found.set(id, entry);
    }
    if (missing.size === 0) return found;
    const read = await readMissing([...missing]);
    const byId = this.#entriesOf(brandId, version) ?? new Map<number, Entry | null>();
    for (const id of missing) byId.set(id, read.get(id) ?? null);
    this.#brands.set(brandId, entriesKey, { version, byId }, byId.size);
    for (const [id, entry] of read) found.set(id, entry);
    return found;
  }

  #entriesOf(brandId: number, version: string): Map<number, Entry | null> | undefined {
    const brand = this.#brands.get(brandId, entriesKey);
    return brand?.version === version ? brand.byId : undefined;
  }
}

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

interface EventLearner {
  readonly id: number;
  readonly market_id: number | null;
  readonly analytics_opt_out: boolean;
}

/**
 * Returns the learners of the brand by tu_id, and locks their rows against erasure until the commit, so that no event of an
 * erased learner is stored after the erasure.
 */
export async function lockEventLearners(
  tx: Transaction,
  brandId: number,
  tuIds: readonly string[],
): Promise<Map<string, EventLearner>> {
  const rows = await tx.run(
    statement<EventLearner & { tu_id: string }>(
      'lock_event_learners',
      // One look-up for each, independent of table statistics, in the same order in all transactions.
      `select l.tu_id, l.id, l.market_id, l.analytics_opt_out
       from (select distinct u.tu_id collate "C" as tu_id from unnest($2::text[]) as u (tu_id) order by 1) as i
       cross join lateral (
         select l.tu_id, l.id, l.market_id, l.analytics_opt_out from learners l
         where l.brand_id = $1 and l.tu_id = i.tu_id
         for key share
       ) as l`,
      [brandId, tuIds],
    ),
  );
  return new Map(rows.map(({ tu_id, ...learner }) => [tu_id, learner]));
}

export async function findEventMarkets(
  tx: Transaction,
  brandId: number,
  tuIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await tx.run(
    statement<{ tu_id: string; id: number }>(
      'find_event_markets',
      'select tu_id, id from markets where brand_id = $1 and tu_id = any($2::text[])',
      [brandId, tuIds],
    ),
  );
  return new Map(rows.map(({ tu_id, id }) => [tu_id, id]));
}

export interface ContentReference {
  readonly type: string;
  readonly tuId: string;
}

interface ContentId {
  readonly type: string;
  readonly tu_id: string;
  readonly id: number;
}

/** Returns the ids of distinct contents. A new one gets a row that is not listed: an orphaned reference. */
export async function referContents(
  tx: Transaction,
  brandId: number,
  references: readonly ContentReference[],
): Promise<ContentId[]> {
  const values = [brandId, references.map(({ type }) => type), references.map(({ tuId }) => tuId)];
  const find = statement<ContentId>(
    'find_content_references',
    `select c.type, c.tu_id, c.id
     from unnest($2::text[], $3::text[]) as r (type, tu_id)
     cross join lateral (
       select c.type, c.tu_id, c.id from contents c
       where c.brand_id = $1 and c.type = r.type and c.tu_id = r.tu_id
       offset 0
     ) as c`,
    values,
  );
  let rows = await tx.run(find);
  if (rows.length < references.length) {
    await tx.run(
      statement<never>(
        'insert_content_references',
        `insert into contents (brand_id, type, tu_id, is_live, is_listed)
         select $1, r.type, r.tu_id, false, false from unnest($2::text[], $3::text[]) as r (type, tu_id)
         order by r.type collate "C", r.tu_id collate "C"
         on conflict (brand_id, type, tu_id) do nothing`,
        values,
      ),
    );
    rows = await tx.run(find);
  }
  return rows;
}
