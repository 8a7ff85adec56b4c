import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { findFreePort } from './free-port.ts';
import { projectDir } from './server-process.ts';
import { waitFor } from './wait-for.ts';

const kit = join(projectDir, 'deploy');

export interface PrometheusOptions {
  readonly program: string;
  /** Addresses of the internal listeners. */
  readonly targets: readonly string[];
  /** The text of `alerts.yml`. */
  readonly rules: string;
  /** Between two scrapes, and between two evaluations of the rules. */
  readonly intervalMs: number;
  /** The address of Alertmanager; default: that of the kit. */
  readonly alertmanager?: string;
}

export interface FiringAlert {
  readonly name: string;
  readonly severity: string;
  /** The time at which its condition became true, before its `for`. */
  readonly activeAt: number;
}

interface Sample {
  readonly value: readonly [time: number, value: string];
}

export interface TestPrometheus {
  /** Scrapes other addresses from now on. */
  setTargets(targets: readonly string[]): Promise<void>;
  /** Evaluates an expression; empty while Prometheus does not respond. @throws Error if it is not valid */
  query(expr: string): Promise<readonly Sample[]>;
  firing(): Promise<readonly FiringAlert[]>;
  stop(): Promise<void>;
}

/** Starts Prometheus with the kit's configuration, of which addresses, intervals and rules are replaced. */
export async function startPrometheus(options: PrometheusOptions): Promise<TestPrometheus> {
  const directory = await mkdtemp(join(tmpdir(), 'brandport-prometheus-'));
  const port = await findFreePort();
  const text = await readFile(join(kit, 'prometheus.yml'), 'utf8');
  const configure = (targets: readonly string[]) =>
    writeFile(
      join(directory, 'prometheus.yml'),
      text
        .replaceAll(/(interval): 15s/g, `$1: ${options.intervalMs}ms`)
        .replace('127.0.0.1:9093', options.alertmanager ?? '127.0.0.1:9093')
        .replace(/targets: \["127.0.0.1:8081.*/, `targets: ${JSON.stringify(targets)}`),
    );
  await configure(options.targets);
  await writeFile(join(directory, 'alerts.yml'), options.rules);
  const child = spawn(
    options.program,
    [
      `--config.file=${join(directory, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(directory, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  );
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);

  const ask = async <Data>(path: string): Promise<Data | null> => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`).catch(() => null);
    if (answer === null) return null;
    const { status, error, data } = (await answer.json()) as { status: string; error?: string; data: Data };
    if (status !== 'success') throw new Error(`${path}: ${error}`);
    return data;
  };
  const prometheus: TestPrometheus = {
    setTargets: async (targets) => {
      await configure(targets);
      child.kill('SIGHUP');
    },
    query: async (expr) => {
      const data = await ask<{ result: Sample[] }>(`query?query=${encodeURIComponent(expr)}`);
      return data?.result ?? [];
    },
    firing: async () => {
      const data = await ask<{ alerts: ActiveAlert[] }>('alerts');
      return (data?.alerts ?? [])
        .filter(({ state }) => state === 'firing')
        .map(({ labels, activeAt }) => ({
          name: labels.alertname,
          severity: labels.severity,
          activeAt: Date.parse(activeAt),
        }));
    },
    stop: async () => {
      process.off('exit', kill);
      kill();
      await ended;
      await rm(directory, { recursive: true, force: true });
    },
  };
  const isScraped = async () =>
    (await prometheus.query('up{job="brandport"}')).length === options.targets.length;
  await waitFor('the first scrape', isScraped, 60_000).catch(async (error: Error) => {
    await prometheus.stop();
    throw error;
  });
  return prometheus;
}

/** An alert of the API of Prometheus. */
interface ActiveAlert {
  readonly state: string;
  readonly labels: { readonly alertname: string; readonly severity: string };
  readonly activeAt: string;
}
