import { settings, type Setting } from '../settings.ts';
import { code, pageOf, table } from './markdown.ts';

/** The page of the settings: every variable and flag with its default. */
export function configurationPage(): string {
  const rows = Object.values<Setting>(settings).map(({ flag, variable, byDefault, without = '', says }) => [
    code(variable ?? flag ?? ''),
    flag === undefined ? 'variable' : 'flag of `serve`',
    byDefault === undefined ? without : code(byDefault),
    says,
  ]);
  return pageOf(['# Mervare: settings', table(['Setting', 'Kind', 'Without it', 'Meaning'], rows)]);
}
