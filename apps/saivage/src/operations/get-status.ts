import { anyone } from '@portolan/mcp/tool';
import { z } from 'zod';
import { Observation } from '../runtime/observation.ts';
import { operation } from './operation.ts';

export const getStatus = operation('get_status', {
  title: 'Status of the project',
  says: 'What the runtime and the server of this project are doing at this moment.',
  access: anyone,
  effect: 'reads',
  input: z.strictObject({}),
  output: Observation,
  example: {},
}).run(async (_, { deps }) => deps.observe());
