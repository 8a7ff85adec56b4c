import type { Command } from 'commander';

/** The option of operators' commands about one brand; `context.brandId` reads it. */
export interface BrandOption {
  readonly brand?: string;
}

export function addBrandOption(command: Command): Command {
  return command.option('--brand <id>', "the brand; default: the profile's");
}

/** The option of commands that write to a brand which follows from something else; `context.writer` and `checkBrand` read it. */
export function addBrandCheck(command: Command, subject: string): Command {
  return command.option('--brand <id>', `refuse to write if ${subject} belongs to another brand`);
}
