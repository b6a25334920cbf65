/** Why a command could not be started: what a caller may branch on. */
export type LaunchFault =
  | 'command_not_found'
  | 'command_not_executable'
  | 'interpreter_not_found'
  | 'folder_not_found'
  | 'environment_not_passable'
  | 'refused_by_system';

/** The command was not started and nothing of it runs. The message names the command, never its arguments or environment. */
export class LaunchError extends Error {
  override readonly name = 'LaunchError';
  readonly code: LaunchFault;
  readonly command: string;

  constructor(code: LaunchFault, command: string, message: string) {
    super(message);
    this.code = code;
    this.command = command;
  }
}

/** This machine lacks what the package stands on, for example Linux or util-linux: the operator must act. */
export class Unsupported extends Error {
  override readonly name = 'Unsupported';
}
