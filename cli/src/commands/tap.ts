import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Brandport } from '@brandport/client';
import { datasetTables } from '../columns/datasets.ts';
import type { CliContext } from '../context/cli-context.ts';
import { UsageError } from '../errors.ts';
import { serviceAddress } from '../profiles.ts';
import { readIdentity, tablesOf } from '../pull/pull.ts';
import {
  defaultMethod,
  discoveredCatalog,
  parseTapConfig,
  selectedStreams,
  type TapConfig,
} from '../tap/catalog.ts';
import { parseTapState, runTap } from '../tap/run-tap.ts';
import type { Define } from './command.ts';
import { readableDatasets } from './pull.ts';

const notes = `
Writes Singer messages to standard output: SCHEMA, RECORD, and STATE after each day (INCREMENTAL) or stream (FULL_TABLE).
The configuration is JSON: {"url": "...", "api_key": "...", "start_date": "2026-01-01", "streams": ["users"]}; all of it
is optional. Without url and api_key, the profile or the environment is used.

Singer has no message for rows that are gone. Streams with learners or contents are FULL_TABLE unless the catalog says
INCREMENTAL, which needs a target that replaces all rows of a date.`;

export const defineTap: Define = (command, run) => {
  command
    .option('--config <file>', 'the configuration')
    .option('--catalog <file>', 'the streams to send, as --discover writes them')
    .option('--state <file>', 'the last STATE that the target has stored')
    .option('--discover', 'write the catalog instead of sending streams')
    .addHelpText('after', notes)
    .action((files: TapFiles) => run((context) => startTap(context, files)));
};

interface TapFiles {
  readonly config?: string;
  readonly catalog?: string;
  readonly state?: string;
  readonly discover?: boolean;
}

/** @throws CliError, BrandportError */
async function startTap(context: CliContext, files: TapFiles): Promise<undefined> {
  const config = parseTapConfig((await readJson(files.config)) ?? {});
  const catalog = await readJson(files.catalog);
  const stateFile = await readJson(files.state);
  const brandport = await clientFor(context, config);
  const status = await readIdentity(brandport, context.signal);
  const cumulative = config.without_cumulative !== true;
  const readable = readableDatasets(status);
  const { streams: names = readable } = config;
  const denied = names.find((name) => !readable.includes(name));
  if (denied !== undefined)
    throw new UsageError(`The key cannot read ${denied}: it lacks ${datasetTables[denied].scope}.`);
  const tables = tablesOf(names, cumulative);
  if (files.discover === true) {
    context.output.write(`${JSON.stringify(discoveredCatalog(tables), null, 2)}\n`);
    return;
  }
  const byDefault = tables.map((table) => ({ table, method: defaultMethod(table) }));
  const streams = catalog === null ? byDefault : selectedStreams(catalog, tables);
  context.resumeWith('Run it again with the last STATE that the target has stored.');
  const folder = await mkdtemp(join(tmpdir(), 'brandport-tap-'));
  const progress = context.progress('Sending days', true);
  try {
    await runTap({
      brandport,
      streams,
      state: parseTapState(stateFile, status.brandId),
      startDate: config.start_date,
      cumulative,
      folder,
      signal: context.signal,
      send: (message) => context.output.write(`${JSON.stringify(message)}\n`),
      log: context.tell,
      onProgress: (done, total) => progress.update(done, total),
    });
  } finally {
    progress.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function clientFor(context: CliContext, { url, api_key: secret }: TapConfig): Promise<Brandport> {
  if (url === undefined || secret === undefined) return context.brandport({ isPatient: true });
  try {
    return await context.brandport({ isPatient: true, target: { url: serviceAddress(url, 'url'), secret } });
  } catch (error) {
    throw new UsageError(`The configuration is not valid: ${(error as Error).message}`);
  }
}

/** Reads a JSON file; null without one. @throws UsageError */
async function readJson(path: string | undefined): Promise<unknown> {
  if (path === undefined) return null;
  let text: string;
  try {
    text = (await readFile(path, 'utf8')).replace(/^\uFEFF/, '');
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code}.`);
  }
  try {
    return text.trim() === '' ? null : JSON.parse(text);
  } catch {
    throw new UsageError(`${path} is not JSON.`);
  }
}
