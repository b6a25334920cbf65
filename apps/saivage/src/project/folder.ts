import { join } from 'node:path';

/** Where everything of one project lies. Paths only: nothing here is opened or made. */
export interface ProjectFolder {
  /** The managed project, an absolute path without symbolic links. */
  readonly root: string;
  readonly saivage: string;
  /** The operator's configuration. */
  readonly yaml: string;
  /** JSON Schema of the configuration, for editors. */
  readonly schema: string;
  readonly gitignore: string;
  readonly identity: string;
  /** Connections that agents have defined. */
  readonly config: string;
  /** The embedded database. */
  readonly data: string;
  readonly locks: string;
  readonly lock: string;
  /** Where a ready server can be reached; exists only while one is. */
  readonly endpoint: string;
  /** Process logs and scratch: the only part of `.saivage/` that file operations may touch. */
  readonly work: string;
}

/** The layout of `.saivage/` below a project's root. */
export function projectFolder(root: string): ProjectFolder {
  const inside = (...names: string[]) => join(root, '.saivage', ...names);
  return {
    root,
    saivage: inside(),
    yaml: inside('saivage.yaml'),
    schema: inside('saivage.schema.json'),
    gitignore: inside('.gitignore'),
    identity: inside('project.json'),
    config: inside('config'),
    data: inside('data'),
    locks: inside('locks'),
    lock: inside('locks', 'server.json'),
    endpoint: inside('endpoint.json'),
    work: inside('work'),
  };
}
