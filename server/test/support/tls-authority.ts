import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { promisify } from 'node:util';

const openssl = (args: readonly string[]) => promisify(execFile)('openssl', args);
const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];

/** A certificate and its key, as PEM. */
export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

/** A certificate authority, for tests of TLS. Its files are removed when the test file ends. */
export class TlsAuthority {
  /** The file of the root certificate. */
  readonly rootPath: string;
  readonly #dir: string;

  private constructor(dir: string) {
    this.#dir = dir;
    this.rootPath = join(dir, 'root.pem');
  }

  static async create(): Promise<TlsAuthority> {
    const dir = mkdtempSync(join(tmpdir(), 'brandport-tls-'));
    after(() => rmSync(dir, { recursive: true, force: true }));
    const authority = new TlsAuthority(dir);
    const files = ['-keyout', join(dir, 'root.key'), '-out', authority.rootPath];
    await openssl(['req', '-x509', ...newKey, '-subj', '/CN=Test authority', ...files]);
    return authority;
  }

  /** Issues a certificate for one name or address, written as a subject alternative name: `DNS:localhost`, `IP:127.0.0.1`. */
  async issue(alternativeName: string): Promise<Certificate> {
    const name = alternativeName.replaceAll(/\W/g, '-');
    const [keyPath, path] = [join(this.#dir, `${name}.key`), join(this.#dir, `${name}.pem`)];
    const subject = ['-subj', '/CN=server', '-addext', `subjectAltName=${alternativeName}`];
    const issuer = ['-CA', this.rootPath, '-CAkey', join(this.#dir, 'root.key')];
    await openssl(['req', '-x509', ...newKey, ...subject, ...issuer, '-keyout', keyPath, '-out', path]);
    return { certificate: await readFile(path, 'utf8'), key: await readFile(keyPath, 'utf8') };
  }
}
