export { BrandportError } from '../errors/brandport-error.ts';
export { isBrandportError } from '../errors/error-classes.ts';
export type * from '../generated/internal-wire.ts';
export { type Scope, scopes } from '../generated/scopes.ts';
export { BrandportAdmin, type BrandportAdminOptions } from './brandport-admin.ts';
export { decideHandover, type Handover, type HandoverStep, handoverSilenceHours } from './key-handover.ts';
