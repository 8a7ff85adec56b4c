import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import { type BuiltFile, tagOf } from '../../src/http/built-pages.ts';
import { localRoot } from '../../src/http/proxies.ts';

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

interface WriteOptions {
  /** The value of `v` under which browsers keep the file for good. */
  readonly version?: string;
  /** False for what is compressed already, and for what the server reads and does not send. */
  readonly isCompressed?: boolean;
}

/** Writes the files of the pages below a folder, with their compressed forms, and their list. */
export class FileWriter {
  readonly #folder: string;
  readonly #files: [path: string, file: BuiltFile][] = [];

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @param path below the folder; its extension decides the type */
  async write(path: string, content: Buffer | string, options: WriteOptions = {}): Promise<void> {
    const { version = null, isCompressed = true } = options;
    const bytes = Buffer.from(content);
    const target = join(this.#folder, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, bytes);
    if (isCompressed) {
      const params = { [zlib.BROTLI_PARAM_QUALITY]: 9, [zlib.BROTLI_PARAM_SIZE_HINT]: bytes.length };
      const [brotli, gzipped] = await Promise.all([toBrotli(bytes, { params }), toGzip(bytes, { level: 9 })]);
      await Promise.all([writeFile(`${target}.br`, brotli), writeFile(`${target}.gz`, gzipped)]);
    }
    const namesRoot = bytes.includes(localRoot);
    const type = types[extname(path)];
    if (type === undefined) throw new Error(`${path} has no known type`);
    this.#files.push([path, { type, tag: tagOf(bytes), version, namesRoot, isCompressed }]);
  }

  /** Writes `pages.json`, by which the server finds the files. */
  async writeList(): Promise<void> {
    const sorted = this.#files.sort(([a], [b]) => (a < b ? -1 : 1));
    await writeFile(join(this.#folder, 'pages.json'), JSON.stringify(Object.fromEntries(sorted)));
  }
}
