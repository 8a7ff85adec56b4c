// processes: runs Debian's Python
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { learners, startAnalysedService } from './analysed-service.ts';
import { python, startPython } from './run-python.ts';

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const service = await startAnalysedService();

type Row = Record<string, unknown>;
interface Resource {
  readonly hints: {
    readonly name: string;
    readonly merge_key: string;
    readonly columns: Record<string, Row>;
  };
  /** One list for each changed day. */
  readonly items: readonly (readonly Row[])[];
  readonly state: { readonly revision: number };
}

async function runSource(states: object): Promise<Map<string, Resource>> {
  const { code, stdout, stderr } = await startPython(
    [folder('stand-in/run_source.py'), JSON.stringify(states)],
    {
      BRANDPORT_URL: service.clientUrl,
      BRANDPORT_API_KEY: service.brand.apiKey,
      PYTHONPATH: ['../../../connectors/dlt', '../../../connectors/python', 'stand-in'].map(folder).join(':'),
    },
  ).ended;
  assert.equal(code, 0, stderr);
  const resources = stdout.split('\n').filter((line) => line !== '');
  return new Map(resources.map((line) => [JSON.parse(line).hints.name, JSON.parse(line)]));
}

/** Applies the strategy delete-insert as it is documented: delete rows with a loaded merge key, insert those without the mark. */
function merge(table: readonly Row[], { hints, items }: Resource): Row[] {
  const [mark] = Object.entries(hints.columns).find(([, { hard_delete }]) => hard_delete === true) ?? [];
  const loaded = items.flat();
  const replaced = new Set(loaded.map((row) => row[hints.merge_key]));
  return [
    ...table.filter((row) => !replaced.has(row[hints.merge_key])),
    ...loaded.filter((row) => row[mark as string] !== true),
  ];
}

const sorted = (rows: readonly Row[]) => rows.map((row) => JSON.stringify(row)).sort();
const statesOf = (resources: Map<string, Resource>) =>
  Object.fromEntries([...resources].map(([name, { state }]) => [name, state]));

describe('the dlt source', { skip: python === null }, () => {
  it('yields changed days that replace theirs, also days without rows', async () => {
    const first = await runSource({});
    const tables = new Map([...first].map(([name, resource]) => [name, merge([], resource)]));
    assert.equal(tables.get('users')?.length, 3 * learners.length);
    await service.sendLate(service.days[0]);
    for (const learner of learners.slice(1)) await service.optOut(learner);
    await service.optOut('u0');
    const second = await runSource(statesOf(first));
    const whole = await runSource({});
    for (const [name, resource] of second)
      assert.deepEqual(
        sorted(merge(tables.get(name) ?? [], resource)),
        sorted(merge([], whole.get(name) as Resource)),
        name,
      );
    assert.deepEqual(merge(tables.get('users') ?? [], second.get('users') as Resource), []);
    for (const { items } of (await runSource(statesOf(second))).values()) assert.deepEqual(items, []);
  });

  it('joins nested names and leaves nulls out', async () => {
    const rows = (await runSource({})).get('contents')?.items.flat() ?? [];
    const [listed] = rows.filter((row) => row['content_tu_id'] === 'c0');
    assert.equal(listed?.['content_name'], 'Name of c0');
    assert.equal(listed?.['metrics_views'], learners.length);
    assert.ok(rows.some((row) => row['metrics_completions'] === 1 && !('content_tu_id' in row)));
  });
});
