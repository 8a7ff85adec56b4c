import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { scopes as scopeNames } from '../../../../client/src/generated/scopes.ts';
import { type ResponseOf, tagOf } from '../../api/call.ts';
import { useMayChange } from '../../api/session.ts';
import { useChange } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmButton } from '../../parts/confirm-dialog.tsx';
import { messages as shared } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { Overlay } from '../../parts/overlay.tsx';
import { ShownSecret } from '../../parts/shown-secret.tsx';
import { toast } from '../../parts/toast.ts';
import { isRecentlyUsed, type Key, stateOf } from './key-state.ts';
import { messages } from './messages.ts';
import { KeyForm } from './new-key-page.tsx';

interface Props {
  readonly brandId: string;
  readonly apiKey: Key;
}

const words = messages.actions;

/** Buttons for a key. A key that was used in the last 7 days is only revoked or deleted after its name is typed. */
export function KeyActions({ brandId, apiKey }: Props) {
  const [isEdited, setEdited] = useState(false);
  const [issued, setIssued] = useState<ResponseOf<'rotateApiKey'> | null>(null);
  const revoke = useChange('revokeApiKey');
  const remove = useChange('deleteApiKey', { leavesPage: true });
  const rotate = useChange('rotateApiKey', { isShownOnce: true });
  const navigate = useNavigate();
  const mayChange = useMayChange();
  const state = stateOf(apiKey);
  const path = [apiKey.key_id] as const;
  const typed = isRecentlyUsed(apiKey) ? apiKey.name : undefined;
  if (!mayChange) return null;
  return (
    <>
      {state !== 'revoked' && (
        <>
          <Link
            to="/brands/$brandId/keys/$keyId/hand-over"
            params={{ brandId, keyId: apiKey.key_id }}
            className="button"
            data-kind="primary"
          >
            {words.handOver}
          </Link>
          <Button onClick={() => setEdited(true)}>{words.edit}</Button>
          {state !== 'expired' && (
            <ConfirmButton
              title={words.rotateTitle}
              action={words.rotate}
              typed={typed}
              onConfirm={() => rotate.mutateAsync({ path, body: {} }).then(setIssued)}
            >
              {words.rotateText}
            </ConfirmButton>
          )}
          <ConfirmButton
            look="danger"
            title={words.revokeTitle(apiKey.name)}
            action={words.revoke}
            typed={typed}
            onConfirm={() => revoke.mutateAsync({ path }).then(() => toast(words.revoked))}
          >
            <LastUse apiKey={apiKey} otherwise={words.revokeText} />
          </ConfirmButton>
        </>
      )}
      <ConfirmButton
        look="danger"
        title={words.removeTitle(apiKey.name)}
        action={words.remove}
        typed={typed}
        onConfirm={async () => {
          await remove.mutateAsync({ path });
          toast(words.removed);
          await navigate({ to: '/brands/$brandId/keys', params: { brandId } });
        }}
      >
        {words.removeText} <LastUse apiKey={apiKey} otherwise={words.revokeText} />
      </ConfirmButton>
      <Overlay title={words.editTitle(apiKey.name)} isOpen={isEdited} onClose={() => setEdited(false)}>
        <EditKey apiKey={apiKey} onDone={() => setEdited(false)} />
      </Overlay>
      <Overlay title={messages.issued.title} isOpen={issued !== null}>
        <p>{messages.issued.lead}</p>
        <ShownSecret secret={issued?.api_key ?? null} lost={messages.issued.lost} />
        <p className="form-row">
          <Button onClick={() => setIssued(null)}>
            {issued?.api_key === null ? shared.close : messages.issued.leave}
          </Button>
        </p>
      </Overlay>
    </>
  );
}

interface EditProps {
  readonly apiKey: Key;
  readonly onDone: () => void;
}

/** Renames a key, moves its end, or takes scopes away; refused if somebody else has changed it meanwhile. */
function EditKey({ apiKey, onDone }: EditProps) {
  const update = useChange('updateApiKey');
  // The state that the form begins with: a later one is somebody else's.
  const [base] = useState({ key: apiKey, tag: tagOf(apiKey) });
  const { key, tag } = base;
  const day = key.expires_at?.slice(0, 10) ?? '';
  return (
    <>
      <p className="soft">{words.editText}</p>
      <KeyForm
        initialName={key.name}
        initialScopes={key.scopes}
        initialExpires={day}
        possible={scopeNames.filter((scope) => key.scopes.includes(scope))}
        action={words.save}
        problem={update.error}
        isPending={update.isPending}
        onSubmit={({ name, scopes, expires_at: end }) =>
          update.mutate(
            {
              path: [key.key_id],
              ifMatch: tag,
              body: { name, scopes, ...((end?.slice(0, 10) ?? '') !== day && { expires_at: end }) },
            },
            {
              onSuccess: () => {
                toast(words.saved);
                onDone();
              },
            },
          )
        }
      />
    </>
  );
}

interface UseProps {
  readonly apiKey: Key;
  /** The words for a key that nobody has used lately. */
  readonly otherwise: string;
}

/** Says when the key was used last, before it is cut off. */
export function LastUse({ apiKey, otherwise }: UseProps) {
  if (!isRecentlyUsed(apiKey)) return otherwise;
  return (
    <>
      {words.inUse} <Moment at={apiKey.last_used_at} />.
    </>
  );
}
