// processes: backs up and restores whole databases
import assert from 'node:assert/strict';
import { copyFile, open, truncate, writeFile } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { describe, it } from 'node:test';
import { createDatabase } from '../../../test/support/fresh-database.ts';
import { ArchiveWriter, blockBytes, decodeTarHeader, encodeTarHeader } from '../archive.ts';
import { addManifest, type Manifest, memberOf, openBackup, refusal } from '../manifest.ts';
import { backUp, filledDatabase, newFile, relationsOf, restore } from './backup-run.ts';

const never = new AbortController().signal;
const intact = await backUp(await filledDatabase());
const { reader, manifest } = await openBackup(intact);
await reader.close();

async function copyOf(path: string): Promise<string> {
  const copy = await newFile();
  await copyFile(path, copy);
  return copy;
}

/** A backup that is damaged at one byte. */
async function flipped(position: number): Promise<string> {
  const copy = await copyOf(intact);
  const handle = await open(copy, 'r+');
  const byte = Buffer.alloc(1);
  await handle.read(byte, 0, 1, position);
  await handle.write(Buffer.of((byte[0] as number) ^ 0x10), 0, 1, position);
  await handle.close();
  return copy;
}

/** A file with this manifest and no tables. */
async function withManifest(change: (manifest: Manifest) => void): Promise<string> {
  const copy = await newFile();
  const changed = structuredClone(manifest);
  change(changed);
  const writer = await ArchiveWriter.create(copy);
  await addManifest(writer, changed);
  await writer.finish();
  return copy;
}

/** The error of a file whose tables are all read, as a restore reads them. */
async function refusalOf(path: string): Promise<string> {
  const outcome = await readAll(path).then(
    () => 'accepted',
    (error: unknown) => (refusal(path, error) as Error).message,
  );
  return outcome.replace(path, 'FILE');
}

async function readAll(path: string): Promise<void> {
  const { reader, manifest } = await openBackup(path);
  try {
    for (const table of [...manifest.main.tables, ...manifest.analytics.tables]) {
      const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
      await reader.copyTo(memberOf(table), nowhere, never);
    }
  } finally {
    await reader.close();
  }
}

interface Place {
  readonly name: string;
  readonly start: number;
  readonly bytes: number;
}

/** The places of all members in the intact file. */
async function listPlaces(): Promise<Place[]> {
  const handle = await open(intact, 'r');
  const places: Place[] = [];
  const block = Buffer.alloc(blockBytes);
  for (let at = 0; ; ) {
    await handle.read(block, 0, blockBytes, at);
    const entry = decodeTarHeader(block);
    if (entry === null) break;
    places.push({ ...entry, start: at + blockBytes });
    at += blockBytes + Math.ceil(entry.bytes / blockBytes) * blockBytes;
  }
  await handle.close();
  return places;
}

describe('a damaged backup', () => {
  it('is refused, wherever the damage is', async () => {
    const places = await listPlaces();
    assert.ok(places.length > 30);
    for (const { name, start, bytes } of places)
      for (const position of [start - blockBytes, start - 1 - blockBytes / 2, start, start + bytes - 1]) {
        // The second half of a header is padding, of which the checksum takes care as well.
        const message = await refusalOf(await flipped(position));
        assert.match(message, /^FILE cannot be restored: it is .*\. Nothing was restored\.$/, name);
      }
  });

  it('is refused when it is truncated, wherever it ends', async () => {
    const places = await listPlaces();
    const ends = places.flatMap(({ start, bytes }) => [start - 1, start, start + bytes - 1]);
    for (const end of [...ends, 0, 1, blockBytes].sort((a, b) => a - b)) {
      const copy = await copyOf(intact);
      await truncate(copy, end);
      assert.match(
        await refusalOf(copy),
        /^FILE cannot be restored: it is (truncated|not a backup)\./,
        `${end}`,
      );
    }
  });

  it('leaves nothing but an empty job queue, and an intact one can be restored', async () => {
    const target = await createDatabase();
    const [place] = (await listPlaces()).filter(({ name }) => name.startsWith('analytics.'));
    const damaged = await flipped((place as Place).start);
    await assert.rejects(restore(damaged, { main: target, analytics: null }), /it is damaged/);
    const left = await relationsOf(target);
    assert.ok(left.includes('pgboss') && !left.includes('brands') && !left.includes('analytics'), `${left}`);
    await restore(intact, { main: target, analytics: null });
  });

  it('is refused when a table is missing', async () => {
    const message = await refusalOf(await withManifest(() => {}));
    assert.equal(
      message,
      'FILE cannot be restored: it is damaged: public.brands.copy.zst is missing. Nothing was restored.',
    );
  });

  it('is refused when the file is something else', async () => {
    const text = await newFile();
    await writeFile(text, 'no archive\n'.repeat(1000));
    assert.equal(await refusalOf(text), 'FILE cannot be restored: it is not a backup. Nothing was restored.');
    assert.match(await refusalOf('/nonexistent/backup.tar'), /^FILE cannot be read: ENOENT/);
  });
});

describe('a backup of another version', () => {
  it('is refused by name when its schema is another', async () => {
    const migrated = await withManifest(({ main }) => {
      main.migrations.push({ name: '9999-colours', checksum: 'a' });
    });
    assert.equal(
      await refusalOf(migrated),
      'FILE cannot be restored: it is of Brandport 1.2.3, whose migration 9999-colours this version does not have: restore it ' +
        'with that version. Nothing was restored.',
    );
  });

  it('is refused when a migration differs, or the layout is unknown', async () => {
    const changed = await withManifest(({ main }) => {
      for (const migration of main.migrations) migration.checksum = 'b';
    });
    assert.match(await refusalOf(changed), /whose migration 0001-baseline this version does not have/);
    const unfinished = await withManifest(({ main }) => {
      main.migrations = main.migrations.filter(({ name }) => name < '0009');
    });
    assert.match(
      await refusalOf(unfinished),
      /older than that of the last 0\.3: restore it with that version, and upgrade/,
    );
    const earlier = await withManifest((one) => Object.assign(one, { format: 1, seam: 'one_snapshot' }));
    assert.match(await refusalOf(earlier), /it is damaged: public\.brands\.copy\.zst is missing/);
    const layout = await withManifest((one) => Object.assign(one, { format: 2 }));
    assert.match(
      await refusalOf(layout),
      /it has the layout 2 of Brandport 1\.2\.3; this version reads 1 and 5\./,
    );
  });
});

describe('the header of a member', () => {
  it('keeps sizes beyond what octal digits hold', () => {
    for (const bytes of [0, 1, 8 ** 11 - 1, 8 ** 11, 5e12]) {
      const entry = { name: 'public.brands.copy.zst', bytes };
      assert.deepEqual(decodeTarHeader(encodeTarHeader(entry)), entry);
    }
  });
});
