import { useParams } from '@tanstack/react-router';
import { Overlay } from '../parts/overlay.tsx';
import { messages, shortcutMessages } from './messages.ts';
import { brandItems, usePlatformItems } from './navigation.ts';

interface Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Lists the keys of the console, and those of the brand's pages when a brand is open. */
export function ShortcutsDialog({ isOpen, onClose }: Props) {
  const { brandId } = useParams({ strict: false });
  const platformItems = usePlatformItems();
  const items = brandId === undefined ? platformItems : [...platformItems, ...brandItems];
  return (
    <Overlay title={messages.shortcuts} isOpen={isOpen} onClose={onClose}>
      <dl className="keys">
        {shortcutMessages.map(([keys, text]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
        {items.map(({ letter, label }) => (
          <div key={letter}>
            <dt>
              <kbd>g {letter}</kbd>
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
    </Overlay>
  );
}
