import { isKeepable, parseKeepable } from '@portolan/agent';

/** JSON as the database takes it: U+0000 and halves of letters, which a tool may write, give way to U+FFFD. */
export function storable(value: unknown): string {
  const json = JSON.stringify(value);
  return isKeepable(json) ? json : JSON.stringify(parseKeepable(json));
}

/** The same value, as it will be read again. */
export function asStored<T>(value: T): T {
  const json = JSON.stringify(value);
  return isKeepable(json) ? value : (parseKeepable(json) as T);
}
