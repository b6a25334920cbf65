/** Limits of a native tool result. Sizes in bytes unless said otherwise; the wire limit stands with the connection. */
export const CONTENT_LIMITS = {
  /** Source images, each and together, decoded from base64. */
  source: 32 * 1024 * 1024,
  /** Pixels of one source image. */
  pixels: 40_000_000,
  /** One PNG that comes out. */
  png: 16 * 1024 * 1024,
  /** Everything but pixels, as JSON with its escapes. */
  text: 1024 * 1024,
  /** Longest side of what comes out, in pixels, where the caller does not say otherwise. */
  side: 1_600,
  largestSide: 16_384,
  /** Images that are worked on at once in this process: each takes tens of megabytes. */
  atOnce: 2,
} as const;
