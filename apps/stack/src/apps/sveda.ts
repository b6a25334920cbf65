import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { program } from '../command.ts';
import { writePrivate } from '../private-file.ts';
import type { App, Place } from './app.ts';

/** The chat agent behind the harbour pages. Its model is the demo unless another is named. */
export const sveda: App = {
  name: 'sveda',
  ports: { SVEDA_PORT: 8787 },
  secrets: ['SVEDA_EMBED_HOST_API_KEY', 'SVEDA_APP_KEY'],
  async prepare(place) {
    const { home, ports, environment, settings } = place;
    const data = join(home.data, 'sveda');
    await mkdir(data, { recursive: true, mode: 0o700 });
    const file = join(data, 'sveda.yaml');
    // JSON is YAML.
    await writePrivate(file, configuration(place));
    const key = settings['PORTOLAN_MODEL_KEY'];
    return {
      ...program('sveda', ['serve', '--host', '127.0.0.1', '--port', String(ports['SVEDA_PORT'])]),
      env: {
        ...environment,
        SVEDA_DATA: data,
        SVEDA_CONFIG: file,
        ...(key !== undefined && { PORTOLAN_MODEL_KEY: key }),
      },
      cwd: home.root,
      endpoint: join(data, 'endpoint.json'),
    };
  },
  tell({ origin }) {
    return { facts: { origin }, addresses: [], clients: {} };
  },
};

function configuration({ ports, settings }: Place): object {
  const { PORTOLAN_MODEL_URL: baseURL, PORTOLAN_MODEL_NAME: model, PORTOLAN_MODEL_KEY: key } = settings;
  const named =
    baseURL === undefined || model === undefined
      ? { provider: 'demo' }
      : {
          provider: 'openai-compatible',
          baseURL,
          model,
          ...(key !== undefined && { apiKey: '${PORTOLAN_MODEL_KEY}' }),
        };
  const site = `:${ports['MERVARE_PORT']}`;
  return { models: [named], cors: { origins: [`http://127.0.0.1${site}`, `http://localhost${site}`] } };
}
