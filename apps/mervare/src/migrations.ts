import type { Migration } from '@portolan/store';
import { createSecret } from './chat/secret.ts';
import { loadSeaPorts } from './harbour/sea-ports.ts';
import { createHarbours } from './harbour/tables.ts';
import { createPeople } from './people/tables.ts';

/** Every step of the database, in order. A released step never changes. */
export const migrations: readonly Migration[] = [
  { name: '0001_harbours', up: createHarbours },
  { name: '0002_sea_ports', up: loadSeaPorts },
  { name: '0003_site_secret', up: createSecret },
  { name: '0010_people', up: createPeople },
];
