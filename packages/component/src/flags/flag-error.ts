/** A command line that cannot be understood. The message is for the user. */
export class FlagError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "FlagError";
  }
}
