import { Popover } from '@base-ui/react/popover';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ListPage } from '../api/use-api.ts';
import { setPreferences, usePreferences } from '../app/preferences.ts';
import { changed } from '../app/search-params.ts';
import type { Column } from './column.tsx';
import { counted, figure } from './messages.ts';

interface PagerProps {
  readonly meta: ListPage<unknown>['meta'];
  readonly children: ReactNode;
}

/** The exact number of rows, and links to the neighbouring pages of the list in the address's `page`. */
export function Pager({ meta, children }: PagerProps) {
  const { current_page: page, per_page: size, total, last_page: last } = meta;
  const first = (page - 1) * size + 1;
  const rows =
    last <= 1
      ? counted(total, 'row', 'rows')
      : first > total
        ? `none of ${counted(total, 'row', 'rows')}`
        : `${figure(first)} to ${figure(Math.min(page * size, total))} of ${figure(total)}`;
  return (
    <nav className="pager" aria-label={`Page ${page} of ${last}`}>
      <span className="soft">{rows}</span>
      {page > 1 && <PageLink page={Math.min(page - 1, last)} rel="prev" label="Previous" />}
      {page < last && <PageLink page={page + 1} rel="next" label="Next" />}
      {last > 1 && (
        <span className="soft">
          Page {page} of {last}
        </span>
      )}
      {children}
    </nav>
  );
}

interface LinkProps {
  readonly page: number;
  readonly rel: 'prev' | 'next';
  readonly label: string;
}

function PageLink({ page, rel, label }: LinkProps) {
  return (
    <Link to="." className="button" rel={rel} search={changed({ page: page === 1 ? undefined : page })}>
      {label}
    </Link>
  );
}

interface ColumnsProps<Row> {
  /** The key of the hidden columns in the preferences. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
}

/** Hides columns of a table in this browser. The first one stays: it leads to the row. */
export function HideColumns<Row>({ caption, columns }: ColumnsProps<Row>) {
  const { hidden } = usePreferences();
  const own = hidden[caption] ?? [];
  const toggle = (header: string) =>
    setPreferences({
      hidden: {
        ...hidden,
        [caption]: own.includes(header) ? own.filter((each) => each !== header) : [...own, header],
      },
    });
  const hideable = columns.slice(1).filter(({ isInFilesOnly }) => !isInFilesOnly);
  return (
    <Popover.Root>
      <Popover.Trigger className="button only-wide" data-kind="plain">
        Columns
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner align="start" sideOffset={4} className="popup-place">
          <Popover.Popup className="popup" aria-label="Columns">
            {hideable.map(({ header }) => (
              <label key={header} className="choice">
                <input type="checkbox" checked={!own.includes(header)} onChange={() => toggle(header)} />
                {header}
              </label>
            ))}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** Sorts a list on a phone, where no heads of columns are shown. */
export function SortChoice<Row>({ columns }: Pick<ColumnsProps<Row>, 'columns'>) {
  const navigate = useNavigate();
  const { sort = '' } = useSearch({ strict: false }) as { sort?: string };
  const sorts = columns.flatMap(({ header, sort: field }) => {
    if (field === undefined) return [];
    const name = field.replace('-', '');
    return [field, field === name ? `-${name}` : name].map((value) => ({
      value,
      label: `${header} ${value.startsWith('-') ? '↓' : '↑'}`,
    }));
  });
  if (sorts.length === 0) return null;
  return (
    <label className="only-phone sort-choice">
      <span className="soft">Sort by</span>
      <select
        className="input"
        value={sort}
        onChange={({ target: { value } }) =>
          void navigate({
            to: '.',
            search: changed({ sort: value || undefined, page: undefined }),
            replace: true,
          })
        }
      >
        <option value="">Default order</option>
        {sorts.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}
