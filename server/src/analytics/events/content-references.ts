import type { Database } from '../../postgres/database.ts';
import { type ContentReference, referContents } from './event-directory-store.ts';

/** The default number of cached contents; a brand has thousands. */
const defaultMaxKnown = 50_000;

/** Ids by type, then tu_id. */
type ContentIds = Map<string, Map<string, number>>;

/** The ids of the contents in a request, each looked up once: the row of a content is never deleted and keeps its id [D18]. */
export class ContentReferences {
  readonly #database: Database;
  readonly #brandId: number;
  readonly #maxKnown: number;
  #ids: ContentIds = new Map();
  #known = 0;

  constructor(database: Database, brandId: number, maxKnown: number = defaultMaxKnown) {
    this.#database = database;
    this.#brandId = brandId;
    this.#maxKnown = maxKnown;
  }

  /** Returns a function that looks up the ids of these contents. Commits the rows that it has to add. Calls may overlap. */
  async refer(contents: readonly ContentReference[]): Promise<(content: ContentReference) => number> {
    if (this.#known > this.#maxKnown) {
      this.#ids = new Map();
      this.#known = 0;
    }
    // Another call may replace the map while this one waits.
    const ids = this.#ids;
    const unknown = new Map<string, ContentReference>();
    for (const content of contents)
      if (findId(ids, content) === undefined) unknown.set(`${content.type}/${content.tuId}`, content);
    if (unknown.size > 0) {
      const rows = await this.#database.transaction((tx) =>
        referContents(tx, this.#brandId, [...unknown.values()]),
      );
      for (const { type, tu_id, id } of rows) {
        const ofType = ids.get(type) ?? new Map<string, number>();
        ids.set(type, ofType.set(tu_id, id));
      }
      this.#known += rows.length;
    }
    return (content) => {
      const id = findId(ids, content);
      if (id === undefined) throw new Error('a content was not looked up');
      return id;
    };
  }
}

function findId(ids: ContentIds, { type, tuId }: ContentReference): number | undefined {
  return ids.get(type)?.get(tuId);
}
