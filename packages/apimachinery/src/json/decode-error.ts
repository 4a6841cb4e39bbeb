/** Bytes that cannot become an object of the wanted type. The message is worded as Go's decoder words it. */
export class DecodeError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "DecodeError";
  }
}
