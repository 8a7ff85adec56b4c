import { createContext, type ReactNode, useContext, useEffect } from 'react';
import { shownName } from './shown-name.ts';
import { UnreadFilters } from './unread-filters.tsx';

interface Props {
  readonly title: string;
  /** The title in the document's tab, if the visible one is not enough. */
  readonly tabTitle?: string;
  /** One sentence about the page. */
  readonly lead?: ReactNode;
  /** Buttons and links. */
  readonly actions?: ReactNode;
  /** Facts, in a column next to the content. */
  readonly aside?: ReactNode;
  readonly children?: ReactNode;
}

/** A page below its head; also names the document. */
export function Page({ title, tabTitle = title, lead, actions, aside, children }: Props) {
  const brand = useContext(BrandName);
  useEffect(() => {
    document.title = [
      tabTitle,
      ...(brand === undefined || brand === tabTitle ? [] : [brand]),
      'Brandport',
    ].join(' · ');
  }, [tabTitle, brand]);
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <h1>{shownName(title)}</h1>
          {lead !== undefined && <p className="soft">{lead}</p>}
        </div>
        {actions !== undefined && <div className="form-row">{actions}</div>}
      </div>
      <UnreadFilters>
        {aside === undefined ? (
          children
        ) : (
          <div className="detail">
            <div className="detail-content">{children}</div>
            <aside aria-label="Facts">{aside}</aside>
          </div>
        )}
      </UnreadFilters>
    </div>
  );
}

/** The name of the brand whose pages are open, for the title of the tab. */
export const BrandName = createContext<string | undefined>(undefined);
