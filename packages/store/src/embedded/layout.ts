import { join, resolve } from 'node:path';

/** Where everything of the embedded database lies below an app's data folder. */
export interface Layout {
  /** 0700, ours. */
  readonly home: string;
  readonly lock: string;
  /** Symbolic links that npm does not deliver. */
  readonly links: string;
  /** Only there while a server runs, or after it or its owner was killed. */
  readonly serverFile: string;
  /** Appears whole: the cluster and the password of the app's role. */
  readonly main: string;
}

export function layoutOf(dataDir: string): Layout {
  const home = join(resolve(dataDir), 'database');
  const below = (name: string): string => join(home, name);
  return {
    home,
    lock: below('lock'),
    links: below('lib'),
    serverFile: below('server.json'),
    main: below('main'),
  };
}

/** PostgreSQL's own folder, which belongs to the server's user. */
export function clusterIn(main: string): string {
  return join(main, 'cluster');
}

export function credentialsIn(main: string): string {
  return join(main, 'credentials.json');
}
