import { Menu } from '@base-ui/react/menu';
import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { ConfirmDialog, type Question } from './confirm-dialog.tsx';

/** An action of a page: a link, something that is done, or something that is asked about first. */
export interface PageAction {
  /** An address with it as its hash begins the action. */
  readonly id: string;
  readonly label: string;
  readonly isDanger?: boolean;
  /** The path below `/console`. */
  readonly to?: string;
  readonly onSelect?: () => void;
  /** Its button says what the action is called. */
  readonly question?: Omit<Question, 'action'>;
}

interface Props {
  readonly actions: readonly PageAction[];
  /** The button of the menu, which has the focus again when a dialog of an action closes. */
  readonly button?: RefObject<HTMLButtonElement | null>;
}

/** A menu of what a page can do besides its first action, which stands next to it [D330]. */
export function MoreActions({ actions, button: given }: Props) {
  const own = useRef<HTMLButtonElement>(null);
  const button = given ?? own;
  const place = useRef<HTMLDivElement>(null);
  const [question, setQuestion] = useState<Question | null>(null);
  const [isAsked, setAsked] = useState(false);
  const { hash } = useLocation();
  const navigate = useNavigate();

  function begin(action: PageAction): void {
    action.onSelect?.();
    if (action.question === undefined) return;
    setQuestion({ action: action.label, ...action.question });
    setAsked(true);
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: an address begins its action once
  useEffect(() => {
    const wanted = actions.find(({ id, to }) => id === hash && to === undefined);
    if (wanted === undefined) return;
    begin(wanted);
    void navigate({ to: '.', search: true, hash: '', replace: true });
  }, [hash]);

  if (actions.length === 0) return null;
  return (
    <>
      <Menu.Root>
        <Menu.Trigger ref={button} className="button">
          More <span aria-hidden="true">▾</span>
        </Menu.Trigger>
        {/* Within the page, which is a landmark. */}
        <Menu.Portal container={place}>
          <Menu.Positioner align="end" sideOffset={4} className="popup-place">
            <Menu.Popup className="popup menu">
              {actions.map((action) =>
                action.to === undefined ? (
                  <Menu.Item
                    key={action.id}
                    className="popup-item"
                    data-tone={action.isDanger ? 'bad' : undefined}
                    onClick={() => begin(action)}
                  >
                    {action.label}
                  </Menu.Item>
                ) : (
                  <Menu.LinkItem
                    key={action.id}
                    className="popup-item"
                    closeOnClick
                    render={<Link to={action.to as '/'} />}
                  >
                    {action.label}
                  </Menu.LinkItem>
                ),
              )}
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      <div ref={place} />
      {question !== null && (
        <ConfirmDialog {...question} isOpen={isAsked} finalFocus={button} onClose={() => setAsked(false)} />
      )}
    </>
  );
}
