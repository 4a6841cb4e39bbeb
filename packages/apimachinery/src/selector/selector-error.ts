/** A selector that cannot be understood. The message is upstream's; the API server answers it as a bad request. */
export class SelectorError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "SelectorError";
  }
}
