import { HttpProblem } from '@portolan/http';

/** A place in the list of chats: the last one that was read. */
export function writeCursor(at: Date, id: string): string {
  return Buffer.from(`${at.getTime()} ${id}`).toString('base64url');
}

/** The place that a cursor names; undefined without one. Refuses a cursor that this server did not write. */
export function readCursor(cursor: string | undefined): { at: Date; id: string } | undefined {
  if (cursor === undefined) return undefined;
  const [, at, id] =
    /^(\d{1,15}) ([\da-f-]{36})$/.exec(Buffer.from(cursor, 'base64url').toString('utf8')) ?? [];
  if (at === undefined || id === undefined)
    throw new HttpProblem(400, 'invalid_request', 'The cursor is not of this list.');
  return { at: new Date(Number(at)), id };
}

/** The turn that a cursor of a chat names, by its place; undefined without one. */
export function readTurnCursor(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(cursor))
    throw new HttpProblem(400, 'invalid_request', 'The cursor is not of this chat.');
  return Number(cursor);
}
