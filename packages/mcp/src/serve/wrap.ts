import type { ToolDescriptor } from '../define.ts';

/** True for a tool whose output is not declared to be an object: legacy clients refuse the whole list over it. */
export function needsWrap({ outputSchema }: ToolDescriptor): boolean {
  return outputSchema !== undefined && outputSchema['type'] !== 'object';
}

/** The descriptor as legacy revisions can read it: an output of any other kind becomes the member `result`. */
export function wrapped(descriptor: ToolDescriptor): ToolDescriptor {
  if (!needsWrap(descriptor)) return descriptor;
  return {
    ...descriptor,
    outputSchema: {
      type: 'object',
      properties: { result: moved(descriptor.outputSchema) },
      required: ['result'],
    },
  };
}

/** The schema below `/properties/result`: references to its own root follow it there. */
function moved(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' && value.startsWith('#')
      ? `#/properties/result${value.slice(1)}`
      : value,
  );
}
