import type { CliContext } from '../../context/cli-context.ts';
import { UsageError } from '../../errors/cli-error.ts';
import { type BrandSettings, brandLayout, settingsFrom } from './brand-settings.ts';

export async function setBrand(
  context: CliContext,
  id: string,
  options: BrandSettings & { readonly name?: string },
): Promise<undefined> {
  const settings = settingsFrom(options);
  if (settings === undefined && options.name === undefined)
    throw new UsageError("There is nothing to set. 'brandport brands set --help' lists the options.");
  const admin = await context.admin();
  const body = { ...(options.name !== undefined && { name: options.name }), settings };
  const brand = await admin.brands.update(context.brandId(id), body, { signal: context.signal });
  context.output.item(brand, brandLayout);
}
