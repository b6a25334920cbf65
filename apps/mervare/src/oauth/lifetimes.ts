const MINUTE = 60;
const DAY = 86_400;

/** How long things last, in seconds. */
export const lifetimes = {
  /** Revocation and withdrawn rights act at once all the same, since every call asks the database. */
  accessToken: 15 * MINUTE,
  code: MINUTE,
  /** From the authorization request until the person has decided. */
  interaction: 30 * MINUTE,
  /** Without use. Every use gives a new one. */
  refreshToken: 30 * DAY,
  /** After that a person is asked anew, however often the client came. */
  grant: 365 * DAY,
  /** In which a used refresh token still works, for parallel refreshes and for answers that never arrived. */
  refreshGrace: 30,
  /** For which a client is kept that nobody uses. */
  unusedClient: 30 * DAY,
} as const;
