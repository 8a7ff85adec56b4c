import { getRouteApi, Link } from '@tanstack/react-router';
import { decideHandover } from '../../../../client/src/admin/key-handover.ts';
import { useMayChange } from '../../api/session.ts';
import { useAllPages, useApi, useChange } from '../../api/use-api.ts';
import { ConfirmButton } from '../../parts/confirm-dialog.tsx';
import { KeyLink } from '../../parts/links.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { SparkLine } from '../../parts/spark-line.tsx';
import { StateMark } from '../../parts/state-mark.tsx';
import { Thread, type ThreadStep } from '../../parts/thread.tsx';
import { toast } from '../../parts/toast.ts';
import { LastUse } from './key-actions.tsx';
import { isRecentlyUsed, type Key, stateOf } from './key-state.ts';
import { messages } from './messages.ts';
import { dayAgo, hourlyByKey } from './usage-sums.ts';

const route = getRouteApi('/brands/$brandId/keys/$keyId/hand-over');
const words = messages.handOver;
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
    <Page title={words.title(old.data?.name ?? '…')} lead={words.lead}>
      <Loaded query={old}>
        {(key) => (
          <>
            <Thread
              label={words.steps}
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
                  title={messages.actions.revokeTitle(key.name)}
                  action={words.revokeOld}
                  typed={isRecentlyUsed(key) ? key.name : undefined}
                  onConfirm={() =>
                    revoke.mutateAsync({ path: [keyId] }).then(() => toast(messages.actions.revoked))
                  }
                >
                  <LastUse apiKey={key} otherwise={messages.actions.revokeText} />
                </ConfirmButton>
              </p>
            )}
            {stateOf(key) === 'revoked' && newestId !== undefined && (
              <p>
                <Link to="/brands/$brandId/keys/$keyId" params={{ brandId, keyId: newestId }}>
                  {words.toSuccessor}
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
      kind: words.create,
      tone: successor === undefined ? 'warn' : 'good',
      content:
        successor === undefined ? (
          <p>
            {words.createText}{' '}
            <Link to="/brands/$brandId/keys/new" params={{ brandId }} search={{ replaces: old.key_id }}>
              {words.createLink}
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
      kind: words.use,
      tone: successor === undefined ? 'off' : isUsed ? 'good' : 'warn',
      content: isUsed ? <p>{words.used}</p> : <p>{words.useText}</p>,
      origins:
        successor === undefined
          ? []
          : [old, successor].map((key) => lineStep(brandId, key, hourly.get(key.key_id))),
    },
    {
      key: 'silence',
      kind: words.silence,
      tone: isSilent && (isUsed || isRevoked) ? 'good' : isUsed || isRevoked ? 'warn' : 'off',
      content: isSilent ? (
        <StateMark tone={isUsed || isRevoked ? 'good' : 'off'}>{words.silent}</StateMark>
      ) : (
        <StateMark tone="warn">
          {isRevoked ? words.neverSilent : words.notSilent} <Moment at={old.last_used_at} />
        </StateMark>
      ),
    },
    {
      key: 'revoke',
      kind: words.revoke,
      tone: isMissed ? 'bad' : isRevoked ? 'good' : 'off',
      content: isRevoked ? (
        <p>
          {words.revoked} <Moment at={old.revoked_at} />{' '}
          {isMissed && (
            <StateMark tone="bad">
              {words.missed} <Moment at={old.last_refused_at} />
            </StateMark>
          )}
        </p>
      ) : (
        <p>{next === 'revoke' ? words.ready : words.wait}</p>
      ),
    },
  ];
}

function lineStep(brandId: string, apiKey: Key, line: readonly number[] | undefined): ThreadStep {
  const total = line?.reduce((sum, value) => sum + value, 0) ?? 0;
  return {
    key: apiKey.key_id,
    kind: messages.requests(total),
    tone: total > 0 ? 'good' : 'off',
    content: (
      <span className="form-row">
        <KeyLink brandId={brandId} keyId={apiKey.key_id} />
        <SparkLine values={line ?? [0, 0]} label={messages.requests(total)} />
        <Moment at={apiKey.last_used_at} />
      </span>
    ),
  };
}
