/** Every bound of the serving path, in one table. */
export const limits = {
  /** Bytes of a request body. */
  bodyBytes: 1024 * 1024,
  /** Characters of a tool's name or a resource's URI that an error or an event repeats. */
  echoedCharacters: 200,
  /** Surfaces that `surfaces` keeps, least recently used out first. */
  keptSurfaces: 64,
} as const;
