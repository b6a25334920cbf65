const usual = 'application/json, text/event-stream';

/** True when an Accept header names both media types that a legacy client must accept (2025-11-25, transports). */
export function acceptsBoth(header: string | null): boolean {
  if (header === usual) return true;
  const types = (header ?? '').split(',').map((one) => one.split(';', 1)[0]?.trim().toLowerCase());
  return types.includes('application/json') && types.includes('text/event-stream');
}
