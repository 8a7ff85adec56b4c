// nightly: breaks the kit of deploy/ in each way, under load, behind nginx and HAProxy
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { assertDoctorFindsNothing } from '../catalog-model/assert-doctor-finds-nothing.ts';
import { projectDir } from '../support/server-process.ts';
import { findSystemProgram } from '../support/system-program.ts';
import { drills, selectDrills } from './drills.ts';
import { Kit, type KitPrograms } from './kit.ts';
import { type DrillOutcome, runDrill } from './run-drill.ts';

const env = (name: string) => process.env[`BRANDPORT_DRILLS_${name}`];
const chosen = selectDrills(env('ONLY') ?? 'short');
/** The factor by which all durations of Prometheus and its rules are shortened: seconds instead of minutes. */
const haste = env('AS_SHIPPED') === '1' ? 1 : 4;

const [nginx, haproxy, prometheus, alertmanager] = [
  findSystemProgram('nginx', 'nginx'),
  findSystemProgram('haproxy', 'haproxy'),
  findSystemProgram('prometheus', 'prometheus'),
  findSystemProgram('prometheus-alertmanager', 'prometheus-alertmanager'),
];
const hasRedis = findSystemProgram('redis-server', 'redis-server') !== null;
const programs = { nginx, haproxy, prometheus, alertmanager };
const isComplete = Object.values(programs).every((program) => program !== null) && hasRedis;

test('the page for operators has a row for each drill, with its alert', async () => {
  const page = await readFile(join(projectDir, 'docs/monitoring.md'), 'utf8');
  const section = page.split('\n## Drills\n')[1]?.split('\n## ')[0] ?? '';
  const rows = [...section.matchAll(/^\| `([a-z-]+)` \|[^|]*\| (?:`(Brandport\w+)`|none)[^|]*\|/gm)];
  assert.deepEqual(
    rows.map(([, name, alert]) => [name, alert ?? null]),
    drills.map(({ name, alert }) => [name, alert?.[0] ?? null]),
  );
});

test('the kit survives each fault: nothing lost, only documented errors, and the right alert', {
  skip: !isComplete,
}, async () => {
  const kit = await Kit.start(programs as KitPrograms, haste);
  const outcomes = new Map<string, DrillOutcome | Error>();
  for (const drill of chosen) {
    process.stderr.write(`drill ${drill.name}\n`);
    const outcome = await runDrill(kit, drill).catch((error: Error) => error);
    if (outcome instanceof Error) process.stderr.write(`${outcome.stack}\n`);
    outcomes.set(drill.name, outcome);
  }
  process.stderr.write(tableOf(outcomes));
  const failed = [...outcomes].flatMap(([name, outcome]) =>
    outcome instanceof Error ? [new Error(`${name}: ${outcome.message}`, { cause: outcome })] : [],
  );
  if (failed.length > 0) throw new AggregateError(failed, failed.map(({ message }) => message).join('\n'));
  assert.deepEqual(new Set(await kit.stop()), new Set([0]));
  await assertDoctorFindsNothing({ url: kit.postgres.url() });
});

/** Writes the outcomes as a table in Markdown. */
function tableOf(outcomes: ReadonlyMap<string, DrillOutcome | Error>): string {
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  const rows = [...outcomes].map(([name, outcome]) => {
    if (outcome instanceof Error) return [name, 'FAILED', outcome.message.split('\n')[0] ?? '', '', ''];
    const { requests, failures, slowestMs, alertMs, alsoFired } = outcome;
    const seen = [...failures].map(([answer, count]) => `${count} × ${answer}`).join(', ');
    const alert = drills.find((drill) => drill.name === name)?.alert?.[0];
    const fired = alert === undefined ? 'none' : `${alert} after ${seconds(alertMs ?? 0)}`;
    return [
      name,
      `${requests} requests`,
      seen || 'no error',
      seconds(slowestMs),
      [fired, ...alsoFired].join(', '),
    ];
  });
  const head = ['drill', 'load', 'clients saw', 'longest wait', 'alerts'];
  return `\n${[head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |\n`).join('')}\n`;
}
