import type { ToolDescriptor } from '../define.ts';
import { isObject } from './object.ts';

/** True where a legacy client would refuse structured content as it is: it is no object, or not declared as one. */
export function isWrapped(descriptor: ToolDescriptor, structuredContent: unknown): boolean {
  return !isObject(structuredContent) || declaresOther(descriptor);
}

/** The descriptor as legacy clients can read it: an output that is no object becomes the member `result`. */
export function wrapped(descriptor: ToolDescriptor): ToolDescriptor {
  if (!declaresOther(descriptor)) return descriptor;
  return {
    ...descriptor,
    outputSchema: {
      type: 'object',
      properties: { result: moved(descriptor.outputSchema) },
      required: ['result'],
    },
  };
}

/** They refuse the whole list over one output schema of another type than `object`. */
function declaresOther({ outputSchema }: ToolDescriptor): boolean {
  return outputSchema !== undefined && outputSchema['type'] !== 'object';
}

/** The schema below `/properties/result`: references to its own root follow it there. */
function moved(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' && value.startsWith('#')
      ? `#/properties/result${value.slice(1)}`
      : value,
  );
}
