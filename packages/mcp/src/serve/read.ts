import { Refusal } from '../errors.ts';
import { running, type Answer, type Ask } from './ask.ts';
import { codes, echoed, fault, type Fault } from './fault.ts';
import { apology, report } from './report.ts';
import type { ResourceBody } from './resource.ts';

/** resources/read. */
export async function readResource<Deps>(ask: Ask<Deps>): Promise<Answer> {
  const { uri } = ask.params;
  if (typeof uri !== 'string')
    return fault(codes.invalidParams, 'resources/read names its URI in params.uri.');
  const resource = ask.surface.resource(uri);
  if (!resource) return notFound(ask, uri);
  try {
    const body = await resource.read(running(ask, true).call);
    const { mimeType } = resource;
    const contents = { uri, ...(mimeType !== undefined && { mimeType }), ...onWire(body) };
    return ask.codec.contents(ask.surface.identity, [contents]);
  } catch (error) {
    if (error instanceof Refusal) {
      return error.code === 'not_found' ? notFound(ask, uri) : fault(codes.internal, error.message);
    }
    const reference = report(ask.options, error, { caller: ask.caller, subject: echoed(uri) });
    return fault(codes.internal, apology(reference));
  }
}

function onWire(body: ResourceBody): { text: string } | { blob: string } {
  return 'text' in body ? { text: body.text } : { blob: Buffer.from(body.bytes).toString('base64') };
}

/** 2026-07-28 gave up the code of its own that a missing resource had. */
function notFound<Deps>({ codec }: Ask<Deps>, uri: string): Fault {
  const code = codec.era === 'legacy' ? codes.resourceNotFound : codes.invalidParams;
  return fault(code, `Unknown resource: ${echoed(uri)}`, { data: { uri: echoed(uri) } });
}
