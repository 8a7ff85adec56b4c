import assert from 'node:assert/strict';
import { it } from 'node:test';
import { PlanRecorder } from '../../../../test/plans/plan-recorder.ts';
import type { PlanNode } from '../../../../test/plans/plan-summary.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { ok } from '../../tests/new-axes.ts';
import { levelsPath } from './followed-stock.ts';
import { adjusted, newSimple } from './stock.ts';

const recorder = new PlanRecorder();
const apps = await createTestApps();
const { client, brandId } = await apps.newBrand();
await adjusted(client, (await newSimple(client, 'S')).tu_id, { quantity: 1 });

/** Returns the statements that a request sends, and the nodes of their plans that were executed. */
async function costOf(path: string, headers = {}) {
  recorder.plans.length = 0;
  await recorder.record(() => client.get(path, headers));
  assert.deepEqual(recorder.failures, []);
  const custom = recorder.plans.filter(
    // Written in the background at irregular times.
    ({ mode, statement }) => mode === 'custom' && !['touch_api_keys', 'add_key_usage'].includes(statement),
  );
  return {
    statements: custom.map(({ statement }) => statement),
    nodes: custom.flatMap(({ plan }) => executed(plan)),
  };
}

function executed(node: PlanNode): PlanNode[] {
  return node['Actual Loops'] === 0 ? [] : [node, ...(node.Plans ?? []).flatMap(executed)];
}

// [catalog-120]
it('a poll without changes costs one statement besides the look-up of the key, and reads no record of a change', async () => {
  // As many records and levels as a scan would show.
  await apps.sql(
    `with more as (
       insert into stock_changes (brand_id, version, changed_at, level_ids)
       select $1, n, now() + n * interval '1 millisecond', '{1,2,3}' from generate_series(2, 20000) n
     )
     update brand_stocks set version = 20000, changed_at = now() + interval '20 seconds' where brand_id = $1`,
    [brandId],
  );
  const { meta } = await ok(client.get(levelsPath));
  const path = `${levelsPath}?changed_after=${meta.changed_token}`;
  const { data, meta: polled } = await ok(client.get(path));
  assert.deepEqual([data, polled.has_more, polled.changed_token], [[], false, meta.changed_token]);
  const status = await costOf('/catalog/status');
  const poll = await costOf(path);
  assert.deepEqual(poll.statements, [...status.statements, 'list_changed_levels//50']);
  const tables = poll.nodes
    .map((node) => node['Relation Name'] ?? '')
    .filter((name) => name.startsWith('stock_'));
  assert.deepEqual(tables, []);
  const { headers } = await client.get(path);
  const held = await costOf(path, { 'if-none-match': headers['etag'] as string });
  assert.deepEqual(held.statements, [...status.statements, 'find_product_list_version']);
});
