import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ResponseOf } from '../../api/call.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { Page } from '../../parts/page.tsx';
import { ShownSecret } from '../../parts/shown-secret.tsx';
import { FirstCalls } from './first-calls.tsx';
import { KeyForm } from './key-form.tsx';
import { messages } from './messages.ts';

const route = getRouteApi('/brands/$brandId/keys/new');
const words = messages.form;
const issuedWords = messages.issued;

/** Creates a key, also one that replaces another, and shows it once. */
export function NewKeyPage() {
  const { brandId } = route.useParams();
  const { replaces, scopes } = route.useSearch();
  const replaced = useApi('getApiKey', { path: [replaces ?? ''] }, { isEnabled: replaces !== undefined });
  const create = useChange('createApiKey');
  // The secret lives in this component only: not in the cache of the reads, not in the address.
  const [issued, setIssued] = useState<ResponseOf<'createApiKey'> | null>(null);
  if (issued !== null) return <IssuedKey brandId={brandId} issued={issued} />;
  if (replaces !== undefined && replaced.data === undefined) return null;
  const title = replaced.data === undefined ? words.title : words.successorTitle(replaced.data.name);
  return (
    <Page title={title} lead={replaced.data === undefined ? undefined : words.successorLead}>
      <KeyForm
        initialName={replaced.data === undefined ? '' : nextName(replaced.data.name)}
        initialScopes={scopes?.split(',') ?? replaced.data?.scopes ?? []}
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

/** Returns the name with the next number: `ERP` becomes `ERP 2`. Two keys of one name cannot be told apart. */
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
  return (
    <Page
      title={issued.api_key === null ? issuedWords.lostTitle : issuedWords.title}
      tabTitle={issued.name}
      lead={issued.api_key === null ? undefined : issuedWords.lead}
    >
      <ShownSecret secret={issued.api_key} lost={issuedWords.lost} />
      {issued.api_key !== null && <FirstCalls keyId={issued.key_id} />}
      <p>
        {issued.replaces_key_id === null ? (
          <Link
            to="/brands/$brandId/keys/$keyId"
            params={{ brandId, keyId: issued.key_id }}
            className="button"
            ignoreBlocker
          >
            {issued.api_key === null ? issuedWords.open : issuedWords.leave}
          </Link>
        ) : (
          <Link
            to="/brands/$brandId/keys/$keyId/hand-over"
            params={{ brandId, keyId: issued.replaces_key_id }}
            className="button"
            ignoreBlocker
          >
            {issuedWords.goOn}
          </Link>
        )}
      </p>
    </Page>
  );
}
