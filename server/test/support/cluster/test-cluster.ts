import process from 'node:process';
import { registerCanary } from '../canaries.ts';
import { sharedClusterDir } from './cluster-place.ts';
import { fillTemplate } from './fill-template.ts';
import { type Connection, findOrStartCluster } from './find-or-start-cluster.ts';
import { ensureTemplate, templateNameOf } from './template-database.ts';

export interface TestCluster {
  readonly connection: Connection;
  /** The migrated database that tests clone. */
  readonly template: string;
}

let finding: Promise<TestCluster> | undefined;
let found: TestCluster | undefined;

/**
 * The PostgreSQL of the tests, with its template database: that of the whole run, or else the shared one, which is
 * started when nobody has yet. Only tests that ask for it pay for it.
 */
export async function getTestCluster(): Promise<TestCluster> {
  // The test runner follows promises: hooks after an `await` of an older promise would belong to the file that made it.
  if (found !== undefined) return found;
  finding ??= findTestCluster();
  found = await finding;
  return found;
}

async function findTestCluster(): Promise<TestCluster> {
  const json = process.env['BRANDPORT_TEST_CLUSTER'];
  if (json !== undefined) return JSON.parse(json) as TestCluster;
  const connection = await findOrStartCluster(sharedClusterDir());
  registerCanary(connection.password);
  return prepareTestCluster(connection);
}

/** Makes the template database on a cluster. */
export async function prepareTestCluster(connection: Connection): Promise<TestCluster> {
  const template = templateNameOf();
  await ensureTemplate(connection, template, fillTemplate);
  return { connection, template };
}
