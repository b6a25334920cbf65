import { Trouble } from '@portolan/cli';
import { createLog } from '@portolan/http';
import { holdHome } from '../alone.ts';
import type { App, Place, Told } from '../apps/app.ts';
import { apps } from '../apps/list.ts';
import { tokenVariables } from '../apps/mervare.ts';
import { writeClients } from '../clients.ts';
import { ordinaryEnvironment } from '../command.ts';
import { homeOf, makeHome } from '../home.ts';
import type { Home } from '../home.ts';
import { reservePorts, wantedPorts } from '../ports.ts';
import { keepSecrets } from '../secrets.ts';
import type { Secrets } from '../secrets.ts';
import { startStack } from '../stack.ts';
import type { Stack } from '../stack.ts';
import { readStackFile } from '../stack-file.ts';
import type { Terminal } from './terminal.ts';

/** `stack start`: starts everything, says where it is, and ends it when told to, or when an app is lost. */
export async function start(terminal: Terminal): Promise<void> {
  const { environment, workingFolder, print } = terminal;
  const home = homeOf(environment['PORTOLAN_HOME'], workingFolder);
  const usual = Object.assign({}, ...apps.map(({ ports }) => ports)) as App['ports'];
  const wanted = wantedPorts(usual, environment);
  await makeHome(home);
  if ((await holdHome(home.root)) === undefined) throw await runsAlready(home);

  let stack: Stack | undefined;
  terminal.onStop(async () => stack?.stop(), createLog({ name: 'stack', level: 'warn' }));
  const { secrets, made } = await keepSecrets(
    home.secrets,
    apps.flatMap((app) => app.secrets),
  );
  const ports = await reservePorts(wanted);
  const placeOf = (app: App): Place => ({
    home,
    ports,
    settings: only(environment, settings),
    secrets: only(secrets, app.secrets),
    environment: ordinaryEnvironment(environment),
  });
  print(`Starting ${apps.map(({ name }) => name).join(' and ')} in ${home.root} …`);
  stack = startStack(apps, placeOf, home.stack);
  const told = await Promise.race([stack.ready, stack.ended]);
  if (told !== undefined)
    for (const line of [...(await linesOf(told, home)), ...passwordLines(terminal, secrets, made)])
      print(line);
  await stack.ended;
}

/** What of the operator's environment the apps are told. */
const settings: readonly string[] = [
  'PORTOLAN_MODEL_URL',
  'PORTOLAN_MODEL_KEY',
  'PORTOLAN_MODEL_NAME',
  ...tokenVariables,
];

/** What a person types, at the start that made it, and only where a person reads: an output that is piped ends in files. */
function passwordLines({ isTerminal }: Terminal, secrets: Secrets, made: readonly string[]): string[] {
  const shown = isTerminal ? apps.flatMap(({ shownOnce = {} }) => Object.entries(shownOnce)) : [];
  return shown
    .filter(([name]) => made.includes(name))
    .map(([name, says]) => `${says}, shown this once: ${secrets[name]}`);
}

async function runsAlready(home: Home): Promise<Trouble> {
  const said = await readStackFile(home.stack);
  const now = said === undefined ? 'It is starting or stopping.' : `It is process ${said.pid}.`;
  return new Trouble(`A stack runs in ${home.root} already. ${now}`);
}

function only<Value>(all: Readonly<Record<string, Value>>, names: readonly string[]): Record<string, Value> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
}

/** What to open, and where the secrets lie. */
async function linesOf(told: Readonly<Record<string, Told>>, home: Home): Promise<string[]> {
  const files = await writeClients(home, told);
  const addresses = Object.values(told).flatMap((app) => app.addresses);
  return [
    '',
    'Ready.',
    ...addresses.map(({ url, says }) => `  ${url}\n      ${says}`),
    '',
    `Secrets, by environment variable: ${home.secrets}`,
    ...files.map(({ file, says }) => `MCP configuration for ${says}: ${file}`),
    `Logs: ${home.logs}`,
    '',
    'Ctrl-C ends everything.',
  ];
}
