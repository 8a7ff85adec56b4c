import { open, rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { blockBytes, encodeTarHeader, paddedBytes } from '../../backup/archive/tar-header.ts';
import { StartError } from '../../serve/start-error.ts';

export interface Member {
  readonly name: string;
  /** Describes its content in the README. */
  readonly about: string;
  /** Returns its text. If it rejects, the README has the reason. */
  gather(): Promise<string>;
}

const introduction = `What somebody needs who looks into a problem of a Brandport, as it was at the time of the file.
No file has a secret of the settings, a key, a token or a value of a statement. Messages of errors may have names and ids.
`;

/**
 * Gathers the members and writes them to a new file, which only its owner may read. A member that cannot be gathered is missing,
 * with the reason in the README. Returns a sentence for each reason.
 * @throws StartError if the file exists or cannot be written
 */
export async function writeBundle(
  file: string,
  members: readonly Member[],
  hideSecrets: (text: string) => string,
): Promise<string[]> {
  const handle = await open(file, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'EEXIST' ? `${file} exists already.` : error.message;
    throw new StartError(`No bundle was written: ${reason}`);
  });
  try {
    const gathered = await Promise.all(members.map(textOf));
    const list = gathered.map(({ name, about, failure }) => {
      return `${name.padEnd(18)} ${about}${failure === null ? '' : `\n${''.padEnd(19)}MISSING: ${failure}`}\n`;
    });
    const readme = { name: 'README.txt', text: `${introduction}\n${list.join('')}` };
    const files = [readme, ...gathered.filter(({ failure }) => failure === null)];
    const blocks = files.flatMap(({ name, text }) =>
      tarEntry(`brandport-support/${name}`, hideSecrets(text)),
    );
    await handle.writeFile(await promisify(gzip)(Buffer.concat([...blocks, Buffer.alloc(2 * blockBytes)])));
    await handle.sync();
    return namesByReason(gathered).map(hideSecrets);
  } catch (error) {
    await rm(file, { force: true });
    throw new StartError(`No bundle was written: ${(error as Error).message}`);
  } finally {
    await handle.close();
  }
}

/** "overview.json, sessions.json: the reason", one for each reason. */
function namesByReason(gathered: readonly { name: string; failure: string | null }[]): string[] {
  const names = Map.groupBy(gathered, ({ failure }) => failure);
  names.delete(null);
  return [...names].map(([reason, missing]) => `${missing.map(({ name }) => name).join(', ')}: ${reason}`);
}

async function textOf({ name, about, gather }: Member) {
  try {
    return { name, about, text: await gather(), failure: null };
  } catch (error) {
    const { message } = error as Error;
    return { name, about, text: '', failure: message.trim() === '' ? String(error) : message };
  }
}

function tarEntry(name: string, text: string): Buffer[] {
  const content = Buffer.from(text);
  const padding = Buffer.alloc(paddedBytes(content.length) - content.length);
  return [encodeTarHeader({ name, bytes: content.length }), content, padding];
}
