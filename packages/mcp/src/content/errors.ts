/** What is wrong with a native result: what a caller may branch on. */
export type ContentFault =
  | 'envelope_malformed'
  | 'image_malformed'
  | 'image_type'
  | 'image_animated'
  | 'image_too_large'
  | 'image_too_many_pixels'
  | 'text_too_large'
  | 'cancelled';

/** A native result fails as a whole: nothing is cut to fit. The tool has done its work by then, as every message says. */
export class ContentFailure extends Error {
  override readonly name = 'ContentFailure';
  readonly code: ContentFault;
  /** Place of the block in `content`. */
  readonly index: number | undefined;

  constructor(code: ContentFault, says: string, index?: number, cause?: unknown) {
    const where = index === undefined ? '' : ` (block ${index})`;
    super(`${says}${where}. The tool may have had its effects.`, { cause });
    this.code = code;
    this.index = index;
  }
}
