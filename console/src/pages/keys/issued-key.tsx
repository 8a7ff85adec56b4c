import { Link } from '@tanstack/react-router';
import type { ResponseOf } from '../../api/call.ts';
import { CopyableId } from '../../parts/copyable-id.tsx';
import { PageHead } from '../../parts/page-head.tsx';
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
    <div className="page">
      <PageHead title={words.title} tabTitle={issued.name} lead={words.lead} />
      <p className="secret">
        <CopyableId id={issued.api_key} />
      </p>
      <FirstCalls keyId={issued.key_id} />
      <p>
        {issued.replaces_key_id === null ? (
          <Link
            to="/brands/$brandId/keys/$keyId"
            params={{ brandId, keyId: issued.key_id }}
            className="button"
          >
            {words.leave}
          </Link>
        ) : (
          <Link
            to="/brands/$brandId/keys/$keyId/hand-over"
            params={{ brandId, keyId: issued.replaces_key_id }}
            className="button"
          >
            {words.goOn}
          </Link>
        )}
      </p>
    </div>
  );
}
