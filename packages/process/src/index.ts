export { LaunchError, Unsupported } from './errors.ts';
export type { LaunchFault } from './errors.ts';
export { isSameProcess, processIdentity } from './identity.ts';
export type { ProcessIdentity } from './identity.ts';
export type { Launch } from './launch.ts';
export type { Exit, LevelName } from './level/level.ts';
export { processScopes } from './scopes.ts';
export type { Scopes } from './scopes.ts';
export type { Containment, Scope } from './scope.ts';
