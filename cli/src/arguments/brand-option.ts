import type { Command } from 'commander';

/** The option of operators' commands about one brand; `context.brandId` reads it. */
export interface BrandOption {
  readonly brand?: string;
}

export function addBrandOption(command: Command): Command {
  return command.option('--brand <id>', "the brand; default: the profile's");
}
