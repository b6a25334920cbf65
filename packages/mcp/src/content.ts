/** Native tool results: validated whole, images as upright sRGB PNG, every limit in one table. */
export { ContentFailure } from './content/errors.ts';
export type { ContentFault } from './content/errors.ts';
export { MaxDimension } from './content/image.ts';
export type { ImageFacts, Size } from './content/image.ts';
export { CONTENT_LIMITS } from './content/limits.ts';
export { projectResult } from './content/project.ts';
export type { NativeResult, Part, ProjectOptions } from './content/project.ts';
