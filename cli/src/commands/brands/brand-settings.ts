import type { Brand, BrandUpdate } from '@brandport/client/admin';
import type { Command } from 'commander';
import { parseInteger } from '../../arguments/parse-arguments.ts';
import type { ItemLayout } from '../../output/output.ts';

export interface BrandSettings {
  readonly currency?: string;
  readonly language?: string;
  readonly lowStock?: string;
  readonly staleAfter?: string;
}

export function addBrandSettings(command: Command): Command {
  return command
    .option('--currency <code>', 'ISO 4217, for products without a currency')
    .option('--language <tag>', 'BCP 47, for products without a language')
    .option('--low-stock <quantity>', 'availability is low_stock up to this quantity')
    .option('--stale-after <hours>', 'hours without a feed after which stock is stale, or never');
}

/** Returns the settings that are given, as the service takes them; undefined if none is. @throws UsageError */
export function settingsFrom(options: BrandSettings): NonNullable<BrandUpdate['settings']> | undefined {
  const { currency, language, lowStock, staleAfter } = options;
  const settings = {
    ...(currency !== undefined && { currency }),
    ...(language !== undefined && { default_language: language }),
    ...(lowStock !== undefined && { low_stock_threshold: parseInteger(lowStock, '--low-stock') }),
    ...(staleAfter !== undefined && {
      stale_after_hours:
        staleAfter === 'never' ? null : parseInteger(staleAfter, '--stale-after', { least: 1 }),
    }),
  };
  return Object.keys(settings).length === 0 ? undefined : settings;
}

export const brandLayout: ItemLayout<Brand> = {
  id: ({ id }) => id,
  fields: ({ id, name, settings, created_at }) => [
    ['brand', id],
    ['name', name],
    ['currency', settings.currency],
    ['language', settings.default_language],
    ['low stock up to', settings.low_stock_threshold],
    ['stale after hours', settings.stale_after_hours ?? 'never'],
    ['created', created_at],
  ],
};
