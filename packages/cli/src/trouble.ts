import { exitCodes } from './exit-codes.ts';

/** Something that the person at the terminal must know or change: its message is all that is shown. */
export class Trouble extends Error {
  override readonly name = 'Trouble';
  /** The exit code of the command. */
  readonly code: number;

  constructor(message: string, code: number = exitCodes.failure) {
    super(message);
    this.code = code;
  }
}
