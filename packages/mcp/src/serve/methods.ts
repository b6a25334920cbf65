import type { Answer, Ask } from './ask.ts';
import { callTool } from './call.ts';
import type { Era, ListName } from './codec.ts';
import { codes, echoed, fault, type Fault } from './fault.ts';
import { readResource } from './read.ts';

type Method = <Deps>(ask: Ask<Deps>) => Answer | Promise<Answer>;

const shared: readonly (readonly [string, Method])[] = [
  ['tools/list', list('tools')],
  ['tools/call', callTool],
  whereOffered('resources/list', list('resources')),
  whereOffered('resources/templates/list', list('resourceTemplates')),
  whereOffered('resources/read', readResource),
];

/** The methods of each era. A method that is missing here does not exist. */
const methods: Readonly<Record<Era, ReadonlyMap<string, Method>>> = {
  legacy: new Map([...shared, ['initialize', initialize], ['ping', () => '{}']]),
  modern: new Map([...shared, ['server/discover', open]]),
};

/** Answers one request by its method's name. */
export function answer<Deps>(method: string, ask: Ask<Deps>): Answer | Promise<Answer> {
  const known = methods[ask.codec.era].get(method);
  return known ? known(ask) : unknownMethod(method);
}

function open<Deps>({ codec, surface, spoken, params }: Ask<Deps>): Answer {
  return codec.opening(surface.identity, spoken, params);
}

function initialize<Deps>(ask: Ask<Deps>): Answer {
  return typeof ask.params['protocolVersion'] === 'string'
    ? open(ask)
    : fault(codes.invalidParams, 'initialize names a protocol revision in params.protocolVersion.');
}

function list(name: ListName): Method {
  return ({ params: { cursor }, codec, surface }) => {
    const page =
      cursor === undefined || typeof cursor === 'string' ? surface.page(name, cursor, codec) : undefined;
    return page ?? fault(codes.invalidParams, 'The cursor is not of this list. List again without one.');
  };
}

function whereOffered(name: string, method: Method): readonly [string, Method] {
  return [name, (ask) => (ask.surface.offersResources ? method(ask) : unknownMethod(name))];
}

function unknownMethod(method: string): Fault {
  return fault(codes.methodNotFound, `Unknown method: ${echoed(method)}`);
}
