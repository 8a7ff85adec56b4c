import type { CliContext } from '../../context/cli-context.ts';
import { type BrandSettings, brandLayout, settingsFrom } from './brand-settings.ts';

export async function createBrand(
  context: CliContext,
  name: string,
  options: BrandSettings,
): Promise<undefined> {
  const settings = settingsFrom(options);
  const admin = await context.admin();
  const brand = await admin.brands.create({ name, settings }, { signal: context.signal });
  context.output.item(brand, brandLayout);
}
