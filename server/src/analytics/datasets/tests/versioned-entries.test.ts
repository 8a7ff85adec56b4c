import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VersionedEntries } from '../versioned-entries.ts';

/** Returns entries of at most `most`, and the ids that were read, call by call. Odd ids do not exist. */
function counted(most: number) {
  const reads: number[][] = [];
  const entries = new VersionedEntries<string>(most);
  const read = async (brandId: number, version: string, ids: readonly number[]) => {
    const found = await entries.read({ brandId, version }, ids, async (missing) => {
      reads.push(missing);
      return new Map(missing.filter((id) => id % 2 === 0).map((id) => [id, `${brandId}/${version}/${id}`]));
    });
    return [...found].sort(([a], [b]) => a - b).map(([, entry]) => entry);
  };
  return { entries, reads, read };
}

// [D212]
describe('entries of a version', () => {
  it('are read once, also those that do not exist', async () => {
    const { reads, read, entries } = counted(10);
    assert.deepEqual(await read(1, 'v', [2, 3, 4, 2]), ['1/v/2', '1/v/4']);
    assert.deepEqual(await read(1, 'v', [2, 3, 4]), ['1/v/2', '1/v/4']);
    assert.deepEqual(await read(1, 'v', [4, 5, 6]), ['1/v/4', '1/v/6']);
    assert.deepEqual(reads, [
      [2, 3, 4],
      [5, 6],
    ]);
    assert.equal(entries.size, 5);
    assert.deepEqual(await read(1, 'v', []), []);
    assert.equal(reads.length, 2);
  });

  it('are read again at another version, and belong to their brand', async () => {
    const { read, entries } = counted(10);
    assert.deepEqual(await read(1, 'v', [2]), ['1/v/2']);
    assert.deepEqual(await read(2, 'v', [2]), ['2/v/2']);
    assert.deepEqual(await read(1, 'w', [2]), ['1/w/2']);
    assert.deepEqual(await read(1, 'v', [2]), ['1/v/2']);
    assert.equal(entries.size, 2);
  });

  it('are dropped beyond the bound: first those of the brand that was read longest ago', async () => {
    const { reads, read, entries } = counted(4);
    for (const brandId of [1, 2]) await read(brandId, 'v', [2, 4]);
    await read(1, 'v', [2, 4]);
    await read(3, 'v', [2]);
    assert.equal(entries.size, 3);
    reads.length = 0;
    await read(1, 'v', [2, 4]);
    assert.deepEqual(reads, []);
    await read(2, 'v', [2]);
    assert.deepEqual(reads, [[2]]);
    // More than is kept at all.
    assert.equal((await read(4, 'v', [2, 4, 6, 8, 10])).length, 5);
    assert.equal(entries.size, 4);
    // One brand that is larger than the bound keeps none, and the others theirs.
    await read(5, 'v', [2, 4, 6]);
    await read(5, 'v', [8, 10]);
    assert.equal(entries.size, 1);
  });

  it('are not kept after a failed read', async () => {
    const { read, entries } = counted(4);
    await assert.rejects(
      entries.read({ brandId: 1, version: 'v' }, [2], () => Promise.reject(new Error('away'))),
      /away/,
    );
    assert.deepEqual(await read(1, 'v', [2]), ['1/v/2']);
  });
});
