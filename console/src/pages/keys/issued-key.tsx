import { Link } from '@tanstack/react-router';
import type { ResponseOf } from '../../api/call.ts';
import { Page } from '../../parts/page.tsx';
import { ShownSecret } from '../../parts/shown-secret.tsx';
import { FirstCalls } from './first-calls.tsx';
import { messages } from './messages.ts';

interface Props {
  readonly brandId: string;
  readonly issued: ResponseOf<'createApiKey'>;
}

const words = messages.issued;

/** The plaintext of a new key, a first call to paste, and the arrival of the first calls. */
export function IssuedKey({ brandId, issued }: Props) {
  return (
    <Page
      title={issued.api_key === null ? words.lostTitle : words.title}
      tabTitle={issued.name}
      lead={issued.api_key === null ? undefined : words.lead}
    >
      <ShownSecret secret={issued.api_key} lost={words.lost} />
      {issued.api_key !== null && <FirstCalls keyId={issued.key_id} />}
      <p>
        {issued.replaces_key_id === null ? (
          <Link
            to="/brands/$brandId/keys/$keyId"
            params={{ brandId, keyId: issued.key_id }}
            className="button"
            ignoreBlocker
          >
            {issued.api_key === null ? words.open : words.leave}
          </Link>
        ) : (
          <Link
            to="/brands/$brandId/keys/$keyId/hand-over"
            params={{ brandId, keyId: issued.replaces_key_id }}
            className="button"
            ignoreBlocker
          >
            {words.goOn}
          </Link>
        )}
      </p>
    </Page>
  );
}
