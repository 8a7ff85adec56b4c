import type { KeyUsage, ListKeyUsageQuery } from '@brandport/client/admin';
import type { BrandOption } from '../../arguments/brand-option.ts';
import { type ListOptions, pageSize, writeList } from '../../arguments/list-options.ts';
import type { CliContext } from '../../context/cli-context.ts';
import type { ListLayout } from '../../output/output.ts';
import { checkedKeyId } from './key-layout.ts';

interface UsageOptions extends ListOptions, BrandOption {
  readonly from?: string;
  readonly to?: string;
  readonly step: 'hour' | 'day';
}

export async function showUsage(
  context: CliContext,
  keyId: string | undefined,
  options: UsageOptions,
): Promise<undefined> {
  const { from, to, step } = options;
  const query: ListKeyUsageQuery = { from, to, step, per_page: pageSize(options) };
  const call = { signal: context.signal };
  const { keys } = await context.admin();
  const pages =
    keyId === undefined
      ? keys.usageOfBrand(context.brandId(options.brand), query, call)
      : keys.usage(checkedKeyId(keyId), query, call);
  return writeList(context, options, pages, usageLayout);
}

const usageLayout: ListLayout<KeyUsage> = {
  id: ({ operation }) => operation,
  columns: [
    { head: 'at', value: ({ at }) => at },
    { head: 'key', value: ({ key_id }) => key_id },
    { head: 'operation', value: ({ operation }) => operation },
    { head: 'requests', value: ({ requests }) => requests },
    { head: '429', value: ({ denied }) => denied },
    { head: 'other 4xx', value: ({ refused }) => refused },
    { head: '5xx', value: ({ failed }) => failed },
  ],
};
