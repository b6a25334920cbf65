export { isSameProcess, processIdentity } from './identity.ts';
export type { ProcessIdentity } from './identity.ts';
