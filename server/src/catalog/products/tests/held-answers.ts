import assert from 'node:assert/strict';
import type { ApiClient } from '../../../../test/support/api-client.ts';

interface Held {
  readonly path: string;
  etag: string;
  text: string;
}

/** A poller that keeps the latest responses, and checks whether they are still current. */
export class HeldAnswers {
  readonly #client: ApiClient;
  readonly #held: Held[];

  private constructor(client: ApiClient, held: Held[]) {
    this.#client = client;
    this.#held = held;
  }

  static async of(client: ApiClient, paths: readonly string[]): Promise<HeldAnswers> {
    return new HeldAnswers(client, await Promise.all(paths.map((path) => read(client, path))));
  }

  /** Asserts that every kept response is outdated: each path has another tag and another body. */
  async assertMoved(what: string): Promise<void> {
    for (const held of this.#held) {
      const answer = await this.#client.get(held.path, { 'if-none-match': held.etag });
      assert.equal(answer.status, 200, `${what}: ${held.path} is answered with 304`);
      assert.notEqual(answer.headers['etag'], held.etag, `${what}: ${held.path} has the same tag`);
      assert.notEqual(answer.text, held.text, `${what}: ${held.path} has not changed, which tests nothing`);
      Object.assign(held, await read(this.#client, held.path));
    }
  }

  /** Asserts that every kept response is current: 304, and a full response that is identical to the byte. */
  async assertStayed(what: string): Promise<void> {
    for (const { path, etag, text } of this.#held) {
      const answer = await this.#client.get(path, { 'if-none-match': etag });
      assert.deepEqual(
        [answer.status, answer.text, answer.headers['etag']],
        [304, '', etag],
        `${what}: ${path}`,
      );
      assert.deepEqual(await read(this.#client, path), { path, etag, text }, what);
    }
  }
}

async function read(client: ApiClient, path: string): Promise<Held> {
  const { status, headers, text } = await client.get(path);
  assert.equal(status, 200, text);
  return { path, etag: headers['etag'] ?? '', text };
}
