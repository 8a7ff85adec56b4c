import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ResponseOf } from '../../api/call.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { counted, figure } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { ShownSecret } from '../../parts/shown-secret.tsx';
import { StateMark } from '../../parts/state-mark.tsx';
import { Thread } from '../../parts/thread.tsx';
import { KeyForm, keyText } from './key-form.tsx';
import { KeyRefusals } from './key-refusals.tsx';
import { ToSend } from './to-send.tsx';
import { dayAgo, type Usage, unservedOf } from './usage-sums.ts';

const route = getRouteApi('/brands/$brandId/keys/new');

/** Creates a key, also one that replaces another, and shows it once. */
export function NewKeyPage() {
  const { brandId } = route.useParams();
  const { replaces, scopes } = route.useSearch();
  const replaced = useApi('getApiKey', { path: [replaces ?? ''] }, { isEnabled: replaces !== undefined });
  const create = useChange('createApiKey', { isShownOnce: true });
  // The secret lives in this component only: not in the cache of the reads, not in the address.
  const [issued, setIssued] = useState<ResponseOf<'createApiKey'> | null>(null);
  if (issued !== null) return <IssuedKey brandId={brandId} issued={issued} />;
  if (replaces !== undefined && replaced.data === undefined) return null;
  const title = replaced.data === undefined ? 'New key' : `Second key for ${replaced.data.name}`;
  return (
    <Page
      title={title}
      lead={
        replaced.data === undefined
          ? undefined
          : 'Both keys work until you revoke the old one, and they share their Idempotency-Keys.'
      }
    >
      <KeyForm
        latest={{
          text: keyText(
            replaced.data === undefined ? '' : nextName(replaced.data.name),
            scopes?.split(',') ?? replaced.data?.scopes ?? [],
            null,
          ),
        }}
        problem={create.error}
        isPending={create.isPending}
        onSubmit={(body) =>
          create.mutate(
            { path: [brandId], body: { ...body, replaces_key_id: replaces } },
            { onSuccess: setIssued },
          )
        }
      />
    </Page>
  );
}

/** Returns the name with the next number: `ERP` becomes `ERP 2`. Two keys of one name look the same in lists. */
function nextName(name: string): string {
  const [, base = name, number = '1'] = /^(.*\S) (\d{1,3})$/.exec(name) ?? [];
  return `${base.slice(0, 250)} ${Number(number) + 1}`;
}

interface Props {
  readonly brandId: string;
  readonly issued: ResponseOf<'createApiKey'>;
}

/** The plaintext of a new key, a first call to paste, and the arrival of the first calls. */
function IssuedKey({ brandId, issued }: Props) {
  const { replaces_key_id: old } = issued;
  return (
    <Page
      title={issued.api_key === null ? 'The key exists, its secret is lost' : 'This key is shown once'}
      tabTitle={issued.name}
      lead={
        issued.api_key === null
          ? undefined
          : 'Copy it into the integration now. Brandport keeps only its hash.'
      }
    >
      <ShownSecret
        secret={issued.api_key}
        lost="The key was created, but the connection broke before its secret arrived. Delete this key and create it again, or rotate it."
      />
      {issued.api_key !== null && <ToSend issued={issued} />}
      {issued.api_key !== null && <FirstCalls keyId={issued.key_id} />}
      <p>
        <Link
          to={old === null ? '/brands/$brandId/keys/$keyId' : '/brands/$brandId/keys/$keyId/hand-over'}
          params={{ brandId, keyId: old ?? issued.key_id }}
          className="button"
          ignoreBlocker
        >
          {old !== null
            ? 'Key stored. Continue'
            : issued.api_key === null
              ? 'Open the key'
              : 'I have stored the key'}
        </Link>
      </p>
    </Page>
  );
}

const refreshMs = 2000;

/** Watches a key until an integration calls with it, and then what it calls and why calls are refused. */
function FirstCalls({ keyId }: { readonly keyId: string }) {
  const key = useApi('getApiKey', { path: [keyId] }, { refreshMs });
  const usage = useApi(
    'listKeyUsage',
    { path: [keyId], query: { step: 'hour', from: dayAgo() } },
    { refreshMs },
  );
  const calls = usage.data?.data ?? [];
  const isRefused = calls.some((call) => unservedOf(call) > 0);
  const isUsed = calls.length > 0 || (key.data?.last_used_at ?? null) !== null;
  return (
    <section className="section" aria-live="polite">
      <h2>
        <StateMark tone={isUsed ? 'good' : 'warn'}>
          {isUsed ? 'The first call has arrived' : 'Waiting for the first call…'}
        </StateMark>
      </h2>
      {calls.length > 0 && (
        <Thread
          label="Each line is an operation that the integration called today."
          steps={calls.map((call) => ({
            key: `${call.at} ${call.operation}`,
            kind: call.operation,
            tone: unservedOf(call) > 0 ? 'warn' : 'good',
            content: (
              <>
                {callsText(call)} <Moment at={key.data?.last_used_at ?? call.at} />
              </>
            ),
          }))}
        />
      )}
      {isRefused && key.data !== undefined && (
        <KeyRefusals brandId={String(key.data.brand_id)} keyId={keyId} />
      )}
    </section>
  );
}

function callsText({ requests, refused, denied, failed }: Usage): string {
  return [
    counted(requests, 'request', 'requests'),
    ...(refused > 0 ? [`${figure(refused)} refused`] : []),
    ...(denied > 0 ? [`${figure(denied)} over the limit`] : []),
    ...(failed > 0 ? [`${figure(failed)} failed`] : []),
  ].join(', ');
}
