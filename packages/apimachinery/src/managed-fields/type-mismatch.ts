/** A value does not fit its type. The message is upstream's. */
export class TypeMismatch extends Error {
  constructor(message: string) {
    super(message);
    this.name = "TypeMismatch";
  }
}

/** An object does not fit its type in another version. The message names the step. */
export class NotConvertible extends TypeMismatch {}
