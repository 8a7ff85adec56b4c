import { getRouteApi, Link } from '@tanstack/react-router';
import { decideHandover } from '../../../../client/src/admin/key-handover.ts';
import { useMayChange } from '../../api/session.ts';
import { useAllPages, useApi, useChange } from '../../api/use-api.ts';
import { ConfirmButton } from '../../parts/confirm-dialog.tsx';
import { KeyLink } from '../../parts/links.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { counted } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { SparkLine } from '../../parts/spark-line.tsx';
import { StateMark } from '../../parts/state-mark.tsx';
import { Thread, type ThreadStep } from '../../parts/thread.tsx';
import { toast } from '../../parts/toast.ts';
import { LastUse } from './key-actions.tsx';
import { isRecentlyUsed, type Key, stateOf } from './key-state.ts';
import { dayAgo, hourlyByKey } from './usage-sums.ts';

const route = getRouteApi('/brands/$brandId/keys/$keyId/hand-over');
const refreshMs = 5000;

/** Leads from one key to its successor without an outage: both work until nobody uses the old one. */
export function HandOverPage() {
  const { brandId, keyId } = route.useParams();
  const old = useApi('getApiKey', { path: [keyId] }, { refreshMs });
  const newestId = old.data?.lineage_key_ids.at(-1);
  const hasSuccessor = newestId !== undefined && newestId !== keyId;
  const successor = useApi('getApiKey', { path: [newestId ?? ''] }, { refreshMs, isEnabled: hasSuccessor });
  const usage = useAllPages(
    'listBrandKeyUsage',
    { path: [brandId], query: { step: 'hour', from: dayAgo() } },
    { refreshMs },
  );
  const revoke = useChange('revokeApiKey');
  const mayChange = useMayChange();
  return (
    <Page
      title={`Hand over ${old.data?.name ?? '…'}`}
      lead="Both keys work until you revoke the old one. A retry under the new key finds the Idempotency-Keys of the old one."
    >
      <Loaded query={old}>
        {(key) => (
          <>
            <Thread
              label="Steps of the handover"
              steps={handOverSteps({
                brandId,
                old: key,
                successor: hasSuccessor ? successor.data : undefined,
                hourly: hourlyByKey(usage.data?.rows ?? []),
              })}
            />
            {mayChange && hasSuccessor && stateOf(key) !== 'revoked' && (
              <p>
                <ConfirmButton
                  look="danger"
                  title={`Revoke ${key.name}?`}
                  action="Revoke the old key"
                  typed={isRecentlyUsed(key) ? key.name : undefined}
                  onConfirm={() =>
                    revoke.mutateAsync({ path: [keyId] }).then(() => toast('The key is revoked.'))
                  }
                >
                  <LastUse apiKey={key} />
                </ConfirmButton>
              </p>
            )}
            {stateOf(key) === 'revoked' && newestId !== undefined && (
              <p>
                <Link to="/brands/$brandId/keys/$keyId" params={{ brandId, keyId: newestId }}>
                  Open the new key
                </Link>
              </p>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

interface HandOver {
  readonly brandId: string;
  readonly old: Key;
  /** undefined: there is none yet. */
  readonly successor: Key | undefined;
  /** The requests of the last 24 hours by key. */
  readonly hourly: ReadonlyMap<string, readonly number[]>;
}

/** Returns the steps of a handover with their state: second key, both lines, silence of the old one, revocation. */
function handOverSteps({ brandId, old, successor, hourly }: HandOver): readonly ThreadStep[] {
  // A key that is revoked was silent if nobody used it in the hours before: the revocation itself proves nothing.
  const now = old.revoked_at === null ? Date.now() : Date.parse(old.revoked_at);
  const { next, unusedFrom } = decideHandover(old, successor ?? null, now);
  const isRevoked = next === 'done';
  const isUsed = successor !== undefined && successor.last_used_at !== null;
  const isSilent = unusedFrom === null || now >= unusedFrom;
  const isMissed = isRevoked && (old.last_refused_at ?? '') > (old.revoked_at ?? '');
  return [
    {
      key: 'create',
      kind: '1  Second key',
      tone: successor === undefined ? 'warn' : 'good',
      content:
        successor === undefined ? (
          <p>
            Create a second key with the same scopes.{' '}
            <Link to="/brands/$brandId/keys/new" params={{ brandId }} search={{ replaces: old.key_id }}>
              Create it
            </Link>
          </p>
        ) : (
          <p>
            <KeyLink brandId={brandId} keyId={successor.key_id} /> <Moment at={successor.created_at} />
          </p>
        ),
    },
    {
      key: 'use',
      kind: '2  Integration',
      tone: successor === undefined ? 'off' : isUsed ? 'good' : 'warn',
      content: isUsed ? (
        <p>The new key is in use.</p>
      ) : (
        <p>Give the new key to the integration, and wait for its first request.</p>
      ),
      origins:
        successor === undefined
          ? []
          : [old, successor].map((key) => lineStep(brandId, key, hourly.get(key.key_id))),
    },
    {
      key: 'silence',
      kind: '3  Silence',
      tone: isSilent && (isUsed || isRevoked) ? 'good' : isUsed || isRevoked ? 'warn' : 'off',
      content: isSilent ? (
        <StateMark tone={isUsed || isRevoked ? 'good' : 'off'}>
          The old key has been silent for 24 hours.
        </StateMark>
      ) : (
        <StateMark tone="warn">
          {isRevoked ? 'The old key was still in use when it was revoked: last' : 'The old key was used'}{' '}
          <Moment at={old.last_used_at} />
        </StateMark>
      ),
    },
    {
      key: 'revoke',
      kind: '4  Revoke',
      tone: isMissed ? 'bad' : isRevoked ? 'good' : 'off',
      content: isRevoked ? (
        <p>
          The old key is revoked. <Moment at={old.revoked_at} />{' '}
          {isMissed && (
            <StateMark tone="bad">
              Somebody still tries the old key: last refused <Moment at={old.last_refused_at} />
            </StateMark>
          )}
        </p>
      ) : (
        <p>
          {next === 'revoke'
            ? 'Nobody uses the old key any more. Revoke it.'
            : 'Revoke the old key when it is silent.'}
        </p>
      ),
    },
  ];
}

function lineStep(brandId: string, apiKey: Key, line: readonly number[] | undefined): ThreadStep {
  const total = line?.reduce((sum, value) => sum + value, 0) ?? 0;
  return {
    key: apiKey.key_id,
    kind: counted(total, 'request', 'requests'),
    tone: total > 0 ? 'good' : 'off',
    content: (
      <span className="form-row">
        <KeyLink brandId={brandId} keyId={apiKey.key_id} />
        <SparkLine values={line?.slice(0, -1) ?? [0, 0]} label={counted(total, 'request', 'requests')} />
        <Moment at={apiKey.last_used_at} />
      </span>
    ),
  };
}
