import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import process from 'node:process';
import { json } from 'node:stream/consumers';
import { findFreePort } from './free-port.ts';
import { sendHttp } from './http-client.ts';
import { projectDir } from './server-process.ts';
import { shortenDurations } from './shorten-durations.ts';
import { waitFor } from './wait-for.ts';

export interface TestAlertmanager {
  /** The address for Prometheus. */
  readonly address: string;
  /** The alerts that were delivered while they fired, with the receivers of `deploy/alertmanager.yml` that got them. */
  readonly delivered: ReadonlyMap<string, ReadonlySet<string>>;
  stop(): Promise<void>;
}

/** Starts Alertmanager with the kit's configuration, durations divided by `haste`, and a web server as its receivers. */
export async function startAlertmanager(program: string, haste: number): Promise<TestAlertmanager> {
  const delivered = new Map<string, Set<string>>();
  const people = createServer(async (request, response) => {
    const { alerts } = (await json(request)) as { alerts: DeliveredAlert[] };
    const receiver = basename(request.url ?? '');
    for (const { status, labels } of alerts)
      if (status === 'firing')
        delivered.set(labels.alertname, (delivered.get(labels.alertname) ?? new Set()).add(receiver));
    response.end();
  });
  await new Promise<void>((resolve) => people.listen(0, '127.0.0.1', resolve));
  const directory = await mkdtemp(join(tmpdir(), 'brandport-alertmanager-'));
  const text = await readFile(join(projectDir, 'deploy/alertmanager.yml'), 'utf8');
  const own = `127.0.0.1:${(people.address() as AddressInfo).port}`;
  const config = join(directory, 'alertmanager.yml');
  await writeFile(config, shortenDurations(text, haste).replaceAll('127.0.0.1:9094', own));
  const address = `127.0.0.1:${await findFreePort()}`;
  const child = spawn(
    program,
    [
      `--config.file=${config}`,
      `--storage.path=${join(directory, 'data')}`,
      `--web.listen-address=${address}`,
      '--cluster.listen-address=',
    ],
    { stdio: 'ignore' },
  );
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const alertmanager: TestAlertmanager = {
    address,
    delivered,
    stop: async () => {
      process.off('exit', kill);
      kill();
      await ended;
      people.close().closeAllConnections();
      await rm(directory, { recursive: true, force: true });
    },
  };
  const isReady = async () => (await sendHttp(`http://${address}/-/ready`).catch(() => null))?.status === 200;
  await waitFor('Alertmanager', isReady, 60_000).catch(async (error: Error) => {
    await alertmanager.stop();
    throw error;
  });
  return alertmanager;
}

/** An alert in a notification to a webhook. */
interface DeliveredAlert {
  readonly status: 'firing' | 'resolved';
  readonly labels: { readonly alertname: string };
}
