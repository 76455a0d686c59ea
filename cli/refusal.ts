/** A command that cannot be carried out as asked; the message is for the person who asked. */
import { EXIT, type ExitCode } from './exit-codes';

export class Refusal extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = EXIT.refused) {
    super(message);
    this.exitCode = exitCode;
  }
}
