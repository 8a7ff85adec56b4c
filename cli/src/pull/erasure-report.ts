import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import type { DatasetName } from '../columns/dataset-table.ts';
import { UsageError } from '../errors/cli-error.ts';
import type { ServiceStatus } from './dataset-changes.ts';
import type { ReplacedDay, WarehouseState } from './warehouse-state.ts';

/** The evidence of a run: which days were replaced, and why. It names no person and no time of this machine. */
export interface ErasureReport {
  readonly report: 'brandport erasure report';
  readonly version: 1;
  readonly service: string;
  readonly brand_id: number;
  /** The datasets that the run brought up to date. */
  readonly datasets: readonly {
    readonly dataset: DatasetName;
    /** The stored days are current as of this revision. */
    readonly revision: number | null;
    readonly latest_date: string | null;
    /** Opt-outs and erasures that the service answered before this time are included; null if the service cannot say it. */
    readonly complete_as_of: string | null;
  }[];
  readonly days: readonly ReplacedDay[];
}

export interface SignedReport {
  readonly report: ErasureReport;
  /** SHA-256 of the report as JSON without spaces, in hexadecimal. */
  readonly sha256: string;
  readonly signature?: {
    readonly algorithm: 'Ed25519';
    /** SPKI, DER, base64. */
    readonly public_key: string;
    /** Over the same bytes as `sha256`; base64. */
    readonly value: string;
  };
}

/** Parses a private key for reports. The message of the error has nothing of the key. @throws UsageError */
export function parseSignKey(pem: string): KeyObject {
  let key: KeyObject | null = null;
  try {
    key = createPrivateKey(pem);
  } catch {}
  if (key?.asymmetricKeyType !== 'ed25519')
    throw new UsageError('The key is not an Ed25519 private key in PEM: openssl genpkey -algorithm ed25519');
  return key;
}

export function erasureReport(
  state: WarehouseState,
  datasets: readonly DatasetName[],
  { status, days }: { readonly status: ServiceStatus; readonly days: readonly ReplacedDay[] },
): ErasureReport {
  return {
    report: 'brandport erasure report',
    version: 1,
    service: state.service,
    brand_id: state.brand_id,
    datasets: datasets.map((dataset) => ({
      dataset,
      revision: state.datasets[dataset]?.revision ?? null,
      latest_date: status.datasets[dataset].latest,
      complete_as_of: status.datasets[dataset].asOf,
    })),
    days,
  };
}

/** Adds the checksum, and with a key the signature. */
export function sealReport(report: ErasureReport, key: KeyObject | null): SignedReport {
  const bytes = Buffer.from(JSON.stringify(report));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (key === null) return { report, sha256 };
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64');
  const value = sign(null, bytes, key).toString('base64');
  return { report, sha256, signature: { algorithm: 'Ed25519', public_key: publicKey, value } };
}
