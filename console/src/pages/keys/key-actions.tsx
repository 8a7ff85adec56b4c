import { Link, useNavigate } from '@tanstack/react-router';
import { type ComponentProps, useState } from 'react';
import { scopes as scopeNames } from '../../../../client/src/generated/scopes.ts';
import { type ResponseOf, tagOf } from '../../api/call.ts';
import { useMayChange } from '../../api/session.ts';
import { useChange } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmButton, ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { messages as shared } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { Overlay } from '../../parts/overlay.tsx';
import { ShownSecret } from '../../parts/shown-secret.tsx';
import { toast } from '../../parts/toast.ts';
import { KeyForm, keyText } from './key-form.tsx';
import { isRecentlyUsed, type Key, stateOf } from './key-state.ts';
import { messages } from './messages.ts';

interface Props {
  readonly brandId: string;
  readonly apiKey: Key;
}

const words = messages.actions;

/** Buttons for a key. A key that was used in the last 7 days is only revoked or deleted after its name is typed. */
export function KeyActions({ brandId, apiKey }: Props) {
  const [isEdited, setEdited] = useState(false);
  const [isTyped, setTyped] = useState(false);
  const [isDropAsked, setDropAsked] = useState(false);
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
      <Overlay
        title={words.editTitle(apiKey.name)}
        isOpen={isEdited}
        onClose={() => (isTyped ? setDropAsked(true) : setEdited(false))}
      >
        <EditKey apiKey={apiKey} onChanged={setTyped} onDone={() => setEdited(false)} />
        <ConfirmDialog
          title={words.dropTitle}
          action={words.drop}
          isOpen={isDropAsked}
          onClose={() => setDropAsked(false)}
          onConfirm={async () => setEdited(false)}
        >
          {shared.unsaved}
        </ConfirmDialog>
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
  /** Called when there begins or ends to be something that would be lost. */
  readonly onChanged: (isChanged: boolean) => void;
  readonly onDone: () => void;
}

type Save = Parameters<ComponentProps<typeof KeyForm>['onSubmit']>;

/** Renames a key, moves its end, or takes scopes away, which is asked before: they cannot be given back. */
function EditKey({ apiKey, onChanged, onDone }: EditProps) {
  const update = useChange('updateApiKey');
  const [asked, setAsked] = useState<Save | null>(null);
  const { key_id: keyId, name, scopes, expires_at: end } = apiKey;
  const lost = scopes.filter(
    (scope) => !(asked?.[0].scopes as readonly string[] | undefined)?.includes(scope),
  );

  async function save(...[body, base]: Save): Promise<void> {
    const { expires_at: wanted, ...others } = body;
    const isMoved = (wanted?.slice(0, 10) ?? '') !== base.text.expires;
    await update.mutateAsync({
      path: [keyId],
      ifMatch: base.tag,
      body: { ...others, ...(isMoved && { expires_at: wanted }) },
    });
    toast(words.saved);
    onDone();
  }

  function submit(...[body, base]: Save): void {
    const isNarrower = scopes.some((scope) => !(body.scopes as readonly string[]).includes(scope));
    if (isNarrower) setAsked([body, base]);
    // A refusal is shown in the form.
    else void save(body, base).catch(() => {});
  }

  return (
    <>
      <p className="soft">{words.editText}</p>
      <KeyForm
        latest={{ text: keyText(name, scopes, end), tag: tagOf(apiKey) }}
        possible={scopeNames.filter((scope) => scopes.includes(scope))}
        action={words.save}
        problem={update.error}
        isPending={update.isPending}
        onChanged={onChanged}
        onSubmit={submit}
      />
      <ConfirmDialog
        title={words.narrowTitle(lost.length)}
        action={words.narrow}
        typed={isRecentlyUsed(apiKey) ? name : undefined}
        isOpen={asked !== null}
        onClose={() => setAsked(null)}
        onConfirm={async () => {
          if (asked !== null) await save(...asked);
        }}
      >
        {words.narrowText(lost.join(', '))} <LastUse apiKey={apiKey} otherwise="" />
      </ConfirmDialog>
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
