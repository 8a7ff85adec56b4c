import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextRevisionText, readRevision, readSchemaFiles } from '../schema-files.ts';
import { firstFiles, schemaVersion } from './schema-folder.ts';

const { objects } = await readSchemaFiles(await schemaVersion(1, firstFiles));
const folderWith = async (text: string | null) => (await schemaVersion(0, { 'revision.txt': text })).folder;
const entryOf = (text: string) => /^(\d+) ([0-9a-f]{64})$/m.exec(text)?.slice(1) as [string, string];

describe('the revision of views and routines', () => {
  it('starts at 1, and stays while the files stay', async () => {
    const text = await nextRevisionText(await folderWith(null), objects);
    assert.equal(entryOf(text)[0], '1');
    const folder = await folderWith(text);
    assert.equal(await readRevision(folder), 1);
    assert.equal(await nextRevisionText(folder, objects.toReversed()), text);
  });

  it('rises when a file changes, comes or goes, also back to an earlier text', async () => {
    let text = await nextRevisionText(await folderWith(null), objects);
    const changed = objects.map((object) => ({ ...object, checksum: 'another' }));
    for (const [index, files] of [changed, objects.slice(1), objects].entries()) {
      text = await nextRevisionText(await folderWith(text), files);
      assert.equal(entryOf(text)[0], String(index + 2));
    }
  });

  it('is the highest after a merge that left two entries, and the next one is above both', async () => {
    const [, digest] = entryOf(await nextRevisionText(await folderWith(null), objects));
    const folder = await folderWith(`# merged\n7 ${digest}\n6 ${'0'.repeat(64)}\n`);
    assert.equal(await readRevision(folder), 7);
    assert.deepEqual(entryOf(await nextRevisionText(folder, objects)), ['8', digest]);
  });

  it('is 0 without a file', async () => {
    assert.equal(await readRevision(await folderWith(null)), 0);
  });
});
