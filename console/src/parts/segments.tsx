import { Link } from '@tanstack/react-router';
import { changed } from '../app/search-params.ts';

interface Choice {
  readonly label: string;
  /** The search parameters of the choice, added to those of the address. The page of a list starts again at 1. */
  readonly search: Readonly<Record<string, string | undefined>>;
  readonly isCurrent: boolean;
}

interface Props {
  /** Names the choice for screen readers. */
  readonly label: string;
  readonly choices: readonly Choice[];
}

/** A choice of a few, kept in the address. */
export function Segments({ label, choices }: Props) {
  return (
    <nav className="segments" aria-label={label}>
      {choices.map(({ label: name, search, isCurrent }) => (
        <Link
          key={name}
          to="."
          search={changed({ page: undefined, ...search })}
          data-current={isCurrent}
          aria-current={isCurrent ? 'true' : undefined}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
