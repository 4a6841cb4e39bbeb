/** Ends a shell with a message and an exit code. */
export class ShellFailure extends Error {
  override readonly name = "ShellFailure";
  readonly code: number;
  constructor(message: string, code: number) {
    super(message);
    this.code = code;
  }
}
