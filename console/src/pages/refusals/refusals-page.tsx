import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useId } from 'react';
import { clientOperations } from '../../../../client/src/generated/wire.ts';
import { useIsAdministrator } from '../../api/session.ts';
import { useApi } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import {
  BrandFilter,
  ChoiceFilter,
  FilterBar,
  KeyFilter,
  plainChoices,
  TimeRange,
} from '../../parts/filters.tsx';
import { EmptyNote } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { PagedTable } from '../../parts/table.tsx';
import { columnsWithBrand, columnsWithKey, rowKeyOf } from './refusal-columns.tsx';

const route = getRouteApi('/brands/$brandId/refusals');
const allRoute = getRouteApi('/requests');
const refreshMs = 10_000;
/** Otherwise equal requests are one row. */
const eachRequest = [{ value: 'true', label: 'Each request' }];
const statuses = plainChoices([
  '4xx',
  '5xx',
  400,
  401,
  403,
  404,
  405,
  409,
  412,
  413,
  415,
  422,
  429,
  500,
  503,
]);
const operations = plainChoices(Object.keys(clientOperations));

/** The requests of a brand's keys that were refused or failed, newest first. */
export function RefusalsPage() {
  const { brandId } = route.useParams();
  return (
    <Page
      title="Refusals"
      lead="Requests with a key of this brand that were answered with 4xx or 5xx: at most 10,000, for some days, a second or two late."
    >
      <RefusalList filters={{ ...route.useSearch(), brand: Number(brandId) }} isOfBrand />
    </Page>
  );
}

/** The requests of all brands that were refused or failed, and a field for the id of any request. */
export function RequestsPage() {
  const navigate = useNavigate();
  const id = useId();

  function open(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const requestId = String(new FormData(event.currentTarget).get('id')).trim();
    if (requestId !== '') void navigate({ to: '/requests/$requestId', params: { requestId } });
  }

  return (
    <Page
      title="Requests"
      lead="Requests of all brands that were refused or failed. An id leads to anything that its request wrote."
      actions={
        useIsAdministrator() && (
          <Link to="/without-key" className="button">
            Without a key
          </Link>
        )
      }
    >
      <form className="form-row" onSubmit={open}>
        <label htmlFor={id} className="soft">
          Request id
        </label>
        <input
          id={id}
          name="id"
          className="input mono id-field"
          data-search
          autoComplete="off"
          maxLength={128}
        />
        <Button type="submit">Look it up</Button>
      </form>
      <RefusalList filters={allRoute.useSearch()} isOfBrand={false} />
    </Page>
  );
}

interface Props {
  readonly filters: ReturnType<typeof allRoute.useSearch>;
  readonly isOfBrand: boolean;
}

function RefusalList({ filters, isOfBrand }: Props) {
  const { brand, status, each, page, not_understood: _, ...same } = filters;
  const byStatus = typeof status === 'string' ? { status_class: status } : { status };
  const group = each ? undefined : true;
  const query = { ...same, ...byStatus, brand_id: brand, group, page, per_page: 50 };
  const refusals = useApi('listAllRefusals', { query }, { refreshMs });
  const codes = [...new Set((refusals.data?.data ?? []).map(({ code }) => code))];
  return (
    <div className="section">
      <FilterBar>
        {!isOfBrand && <BrandFilter value={brand} />}
        <KeyFilter name="key_id" value={filters.key_id} brandId={brand} />
        <ChoiceFilter label="Status" name="status" value={status?.toString()} choices={statuses} />
        <ChoiceFilter label="Code" name="code" value={filters.code} choices={plainChoices(codes)} isFree />
        <ChoiceFilter label="Operation" name="operation" value={filters.operation} choices={operations} />
        <ChoiceFilter label="Rows" name="each" value={each?.toString()} choices={eachRequest} />
        <TimeRange from={filters.from} to={filters.to} />
      </FilterBar>
      <PagedTable
        query={refusals}
        caption="Refused requests"
        columns={isOfBrand ? columnsWithKey : columnsWithBrand}
        rowKey={rowKeyOf}
        noneMatch="No refused request matches the filters"
        empty={
          <EmptyNote
            title="No request was refused"
            text="Every request with a key was answered with success, as far back as refusals are kept."
          />
        }
      />
    </div>
  );
}
