import type pg from 'pg';
import { recordAudit } from '../../../server/src/audit/audit-store.ts';
import { BackupError } from '../../../server/src/backup/backup-error.ts';
import { inTransaction } from '../../../server/src/postgres/client-transaction.ts';
import {
  type AuditedTransaction,
  serverInitiator,
  type Transaction,
} from '../../../server/src/postgres/transaction.ts';
import { type BrandState, lockBrandState, setClosed } from './brand-state-store.ts';
import { isFenced, passFence, raiseFence, removeFence } from './fence-store.ts';
import type { OpenCell } from './move-connection.ts';

/**
 * Closes a brand [D202]: from the commit on, every process refuses its requests with 503. When this returns, no transaction is
 * left that could still change the brand, and none can begin. Safe to repeat after an interruption.
 * @throws BackupError when there is no such brand, or a table stays in use
 */
export async function closeBrand({ main, analytics }: OpenCell, brandId: number): Promise<BrandState> {
  const before = await inAuditedTransaction(main.client, 'brandport brand close', async (tx) => {
    const state = await lockExisting(tx, brandId);
    if (state.closedAt !== null) return state;
    await setClosed(tx, brandId, true);
    await recordAudit(tx, { action: 'brand.close', ...resource(brandId), details: {} });
    return state;
  });
  for (const { client, tables } of [main, analytics]) await raiseFence(client, tables, brandId);
  return before;
}

/**
 * Opens a closed brand again, which ends its move.
 * @param abandonsExport true: a file that was written meanwhile is not used
 * @throws BackupError when there is no such brand, or it is in a file that may have been imported
 */
export async function openBrand(
  { main, clients }: OpenCell,
  brandId: number,
  abandonsExport: boolean,
): Promise<void> {
  await inTransaction(main.client, async (tx) => {
    const state = await lockExisting(tx, brandId);
    if (state.exportedAt !== null && !abandonsExport)
      throw new BackupError(
        `The brand ${brandId} was exported at ${state.exportedAt.toISOString()}. If the file was imported, the brand lives there: ` +
          'remove it here. If not, delete the file and open the brand with --abandon-export.',
      );
  });
  // The fence goes first: a request that is admitted has to find it gone.
  for (const client of clients) await removeFence(client, brandId);
  await inAuditedTransaction(main.client, 'brandport brand open', async (tx) => {
    const state = await lockBrandState(tx, brandId);
    if (state === null || state.closedAt === null) return;
    await setClosed(tx, brandId, false);
    await recordAudit(tx, { action: 'brand.open', ...resource(brandId), details: {} });
  });
}

/** @throws BackupError unless the brand exists, is closed, and its fence is complete */
export async function requireClosed({ main, analytics }: OpenCell, brandId: number): Promise<BrandState> {
  const state = await inTransaction(main.client, (tx) => lockExisting(tx, brandId));
  const fenced =
    state.closedAt !== null &&
    (await isFenced(main.client, main.tables, brandId)) &&
    (await isFenced(analytics.client, analytics.tables, brandId));
  if (!fenced)
    throw new BackupError(
      `The brand ${brandId} is open, or its closing was interrupted. Run \`brandport brand close ${brandId}\` before.`,
    );
  return state;
}

/** Runs the work of a command in a transaction that may change the closed brand. */
export function changeClosed<T>(
  { main }: Pick<OpenCell, 'main'>,
  brandId: number,
  command: `brandport brand ${string}`,
  work: (tx: AuditedTransaction) => Promise<T>,
): Promise<T> {
  return inAuditedTransaction(main.client, command, async (tx) => {
    await passFence(main.client, brandId);
    return work(tx);
  });
}

/** Runs the work of a command, which writes audit entries, in a transaction of the client. */
function inAuditedTransaction<T>(
  client: pg.Client,
  command: `brandport brand ${string}`,
  work: (tx: AuditedTransaction) => Promise<T>,
): Promise<T> {
  return inTransaction(client, (tx) => work({ ...tx, initiator: serverInitiator(command) }));
}

export function resource(brandId: number) {
  return { brandId, resourceType: 'brand', resourceId: String(brandId) } as const;
}

async function lockExisting(tx: Transaction, brandId: number): Promise<BrandState> {
  const state = await lockBrandState(tx, brandId);
  if (state === null) throw new BackupError(`There is no brand ${brandId}.`);
  return state;
}
