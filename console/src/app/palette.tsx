import { useParams, useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, type RefObject, useId, useRef, useState } from 'react';
import { useSignOut } from '../api/session.ts';
import { Overlay } from '../parts/overlay.tsx';
import type { Finding } from './brand-findings.ts';
import { messages } from './messages.ts';
import { signOutAction } from './navigation.ts';
import { useFindings } from './palette-findings.ts';

interface Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Finds brands, SKUs, keys, feeds, requests and pages by what is typed or pasted. */
export function Palette({ isOpen, onClose }: Props) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <Overlay title={messages.search} isOpen={isOpen} onClose={onClose} isTitleHidden initialFocus={field}>
      <PaletteList field={field} onClose={onClose} />
    </Overlay>
  );
}

interface ListProps extends Pick<Props, 'onClose'> {
  readonly field: RefObject<HTMLInputElement | null>;
}

function PaletteList({ field, onClose }: ListProps) {
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const { brandId } = useParams({ strict: false });
  const findings = useFindings(text, brandId);
  const { history } = useRouter();
  const signOut = useSignOut();
  const id = useId();

  function open(finding: Finding | undefined): void {
    if (finding === undefined) return;
    onClose();
    if (finding.to === signOutAction) void signOut();
    else history.push(`/console${finding.to}`);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && findings.length > 0)
      setActive((index) => (index + step + findings.length) % findings.length);
    else if (event.key === 'Enter') open(findings[active]);
    else return;
    event.preventDefault();
  }

  return (
    <>
      <input
        className="input palette-field"
        role="combobox"
        aria-label={messages.search}
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={findings.length === 0 ? undefined : `${id}-${active}`}
        autoComplete="off"
        spellCheck={false}
        placeholder={messages.searchHint}
        ref={field}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={id} role="listbox" aria-label={messages.search} className="palette-list">
        {findings.map((finding, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus and the keys
          // biome-ignore lint/a11y/useFocusableInteractive: active by aria-activedescendant
          <div
            // A brand and its overview are two findings with one address.
            key={`${finding.kind} ${finding.to}`}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            onClick={() => open(finding)}
            onPointerMove={() => setActive(index)}
          >
            <span className={finding.isId ? 'mono' : undefined}>{finding.label}</span>
            <span className="soft">{finding.kind}</span>
          </div>
        ))}
      </div>
      {findings.length === 0 && <p className="soft">{messages.searchNothing}</p>}
      {brandId === undefined && text.trim() !== '' && <p className="soft">{messages.searchInBrand}</p>}
    </>
  );
}
