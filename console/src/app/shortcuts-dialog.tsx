import { useParams } from '@tanstack/react-router';
import { Overlay } from '../parts/overlay.tsx';
import { brandItems, usePlatformItems } from './navigation.ts';

const shortcuts = [
  ['/', 'Search on this page, or everywhere'],
  ['⌘K  Ctrl K', 'Find a brand, SKU, key, feed, request or page'],
  ['← ↑ → ↓', 'Move in a matrix, calendar or chart'],
  ['j  k', 'Next and previous row'],
  ['Enter', 'Open the row'],
  ['x', 'Select the row'],
  ['[  ]', 'Previous and next page of a list'],
  ['?', 'This list'],
  ['Esc', 'Close, or leave a field'],
] as const;

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
    <Overlay title="Keyboard shortcuts" isOpen={isOpen} onClose={onClose}>
      <dl className="keys">
        {shortcuts.map(([keys, text]) => (
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
