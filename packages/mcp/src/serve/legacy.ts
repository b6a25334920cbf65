import type { ToolDescriptor } from '../define.ts';
import type { Codec } from './codec.ts';
import { isWrapped, wrapped } from './wrap.ts';

/**
 * The wire form of the revisions that open with `initialize` (up to 2025-11-25).
 * Their structured content is an object, so any other output is listed and answered as `{result: …}`.
 */
export const legacy: Codec = {
  era: 'legacy',

  opening({ serverInfo, capabilities, instructions, meta }, spoken, { protocolVersion }) {
    return JSON.stringify({
      protocolVersion: spoken.legacy.find((one) => one === protocolVersion) ?? spoken.legacy[0],
      capabilities,
      serverInfo,
      instructions,
      _meta: meta,
    });
  },

  list(_identity, name, items, nextCursor) {
    const listed = name === 'tools' ? (items as readonly ToolDescriptor[]).map(wrapped) : items;
    return JSON.stringify({ [name]: listed, nextCursor });
  },

  tool(_identity, descriptor, result) {
    const { structuredContent } = result;
    if (structuredContent === undefined || !isWrapped(descriptor, structuredContent))
      return JSON.stringify(result);
    return JSON.stringify({ ...result, structuredContent: { result: structuredContent } });
  },

  contents(_identity, contents) {
    return JSON.stringify({ contents });
  },

  /** In these revisions an error of a method is the payload of a good HTTP exchange. */
  status: ({ status }) => status ?? 200,
};
