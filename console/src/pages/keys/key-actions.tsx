import { Link, useNavigate } from '@tanstack/react-router';
import { type ComponentProps, type RefObject, useRef, useState } from 'react';
import { scopes as scopeNames } from '../../../../client/src/generated/scopes.ts';
import { type ResponseOf, tagOf } from '../../api/call.ts';
import { useMayChange } from '../../api/session.ts';
import { useChange } from '../../api/use-api.ts';
import { rotateAction } from '../../app/navigation.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { counted, messages as shared } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { MoreActions, type PageAction } from '../../parts/more-actions.tsx';
import { Overlay } from '../../parts/overlay.tsx';
import { ShownSecret } from '../../parts/shown-secret.tsx';
import { toast } from '../../parts/toast.ts';
import { KeyForm, keyText } from './key-form.tsx';
import { isRecentlyUsed, isRotatable, type Key, stateOf } from './key-state.ts';
import { ToSend } from './to-send.tsx';

interface Props {
  readonly brandId: string;
  readonly apiKey: Key;
}

/** The actions on a key. A key that was used in the last 7 days is revoked only after its name is typed. */
export function KeyActions({ brandId, apiKey }: Props) {
  const [isEdited, setEdited] = useState(false);
  const [issued, setIssued] = useState<ResponseOf<'rotateApiKey'> | null>(null);
  const menu = useRef<HTMLButtonElement>(null);
  const revoke = useChange('revokeApiKey');
  const remove = useChange('deleteApiKey', { leavesPage: true });
  const rotate = useChange('rotateApiKey', { isShownOnce: true });
  const navigate = useNavigate();
  const mayChange = useMayChange();
  const state = stateOf(apiKey);
  const path = [apiKey.key_id] as const;
  const typed = isRecentlyUsed(apiKey) ? apiKey.name : undefined;
  const lastUse = <LastUse apiKey={apiKey} />;

  async function deleteKey(): Promise<void> {
    await remove.mutateAsync({ path });
    toast('The key is deleted.');
    await navigate({ to: '/brands/$brandId/keys', params: { brandId } });
  }

  const actions: readonly (PageAction | false)[] = [
    state !== 'revoked' && { id: 'edit', label: 'Edit', onSelect: () => setEdited(true) },
    isRotatable(apiKey) && {
      id: rotateAction,
      label: 'Rotate now',
      question: {
        title: 'Cut the old key off now?',
        typed,
        onConfirm: () => rotate.mutateAsync({ path, body: {} }).then(setIssued),
        children:
          'The new key replaces this one at once: every request with the old one is refused from now on. To change keys without an outage, hand over instead.',
      },
    },
    state !== 'revoked' && {
      id: 'revoke',
      label: 'Revoke',
      isDanger: true,
      question: {
        title: `Revoke ${apiKey.name}?`,
        typed,
        onConfirm: () => revoke.mutateAsync({ path }).then(() => toast('The key is revoked.')),
        children: lastUse,
      },
    },
    {
      id: 'delete',
      label: 'Delete',
      isDanger: true,
      question: {
        title: `Delete ${apiKey.name}?`,
        typed,
        onConfirm: deleteKey,
        children: (
          <>
            The key and its link to its successor leave the lists; its usage and audit entries stay. A key
            that is only revoked stays listed. {lastUse}
          </>
        ),
      },
    },
  ];

  if (!mayChange) return null;
  return (
    <>
      {state === 'revoked' ? (
        <Link
          to="/brands/$brandId/keys/new"
          params={{ brandId }}
          search={{ scopes: apiKey.scopes.join(',') }}
          className="button"
          data-kind="primary"
        >
          New key with its scopes
        </Link>
      ) : (
        <Link
          to="/brands/$brandId/keys/$keyId/hand-over"
          params={{ brandId, keyId: apiKey.key_id }}
          className="button"
          data-kind="primary"
        >
          Hand over
        </Link>
      )}
      <MoreActions button={menu} actions={actions.filter((action) => action !== false)} />
      <EditOverlay apiKey={apiKey} isOpen={isEdited} button={menu} onClose={() => setEdited(false)} />
      <RotatedKey issued={issued} button={menu} onClose={() => setIssued(null)} />
    </>
  );
}

interface DialogProps {
  /** Has the focus when the dialog closes. */
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly onClose: () => void;
}

interface EditOverlayProps extends DialogProps, Pick<Props, 'apiKey'> {
  readonly isOpen: boolean;
}

/** Edits a key, and asks before what is typed is dropped. */
function EditOverlay({ apiKey, isOpen, button, onClose }: EditOverlayProps) {
  const [isTyped, setTyped] = useState(false);
  const [isDropAsked, setDropAsked] = useState(false);
  return (
    <Overlay
      title={`Edit ${apiKey.name}`}
      isOpen={isOpen}
      finalFocus={button}
      onClose={() => (isTyped ? setDropAsked(true) : onClose())}
    >
      <EditKey apiKey={apiKey} onChanged={setTyped} onDone={onClose} />
      <ConfirmDialog
        title="Close without saving?"
        action="Close"
        isOpen={isDropAsked}
        onClose={() => setDropAsked(false)}
        onConfirm={async () => onClose()}
      >
        {shared.unsaved}
      </ConfirmDialog>
    </Overlay>
  );
}

interface RotatedProps extends DialogProps {
  readonly issued: ResponseOf<'rotateApiKey'> | null;
}

/** Shows the secret that replaces the old one, once. */
function RotatedKey({ issued, button, onClose }: RotatedProps) {
  return (
    <Overlay title="This key is shown once" isOpen={issued !== null} finalFocus={button}>
      <p>Copy it into the integration now. Brandport keeps only its hash.</p>
      <ShownSecret
        secret={issued?.api_key ?? null}
        lost="The key was created, but the connection broke before its secret arrived. Delete this key and create it again, or rotate it."
      />
      {issued !== null && issued.api_key !== null && <ToSend issued={issued} />}
      <p className="form-row">
        <Button onClick={onClose}>{issued?.api_key === null ? shared.close : 'I have stored the key'}</Button>
      </p>
    </Overlay>
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
    toast('The key is saved.');
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
      <p className="soft">
        Scopes may only become fewer. A key with more scopes is a new key, by a hand-over.
      </p>
      <KeyForm
        latest={{ text: keyText(name, scopes, end), tag: tagOf(apiKey) }}
        possible={scopeNames.filter((scope) => scopes.includes(scope))}
        action="Save the key"
        problem={update.error}
        isPending={update.isPending}
        onChanged={onChanged}
        onSubmit={submit}
      />
      <ConfirmDialog
        title={`Take ${counted(lost.length, 'scope', 'scopes')} away?`}
        action="Take away"
        typed={isRecentlyUsed(apiKey) ? name : undefined}
        isOpen={asked !== null}
        onClose={() => setAsked(null)}
        onConfirm={async () => {
          if (asked !== null) await save(...asked);
        }}
      >
        {`Requests that need ${lost.join(', ')} are refused from now on. A scope cannot be given back to this key.`}{' '}
        <LastUse apiKey={apiKey} otherwise="" />
      </ConfirmDialog>
    </>
  );
}

const lastWords = 'Requests with this key are refused from now on. This cannot be undone.';

interface UseProps {
  readonly apiKey: Key;
  /** The words for a key that nobody has used lately. Default: those of its end. */
  readonly otherwise?: string;
}

/** Says when the key was used last, before it is cut off. */
export function LastUse({ apiKey, otherwise = lastWords }: UseProps) {
  if (!isRecentlyUsed(apiKey)) return otherwise;
  return (
    <>
      An integration that still uses the key fails at once. The last request was{' '}
      <Moment at={apiKey.last_used_at} />.
    </>
  );
}
