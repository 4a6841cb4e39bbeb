/** Something that reads bytes from outside, and what must hold for all of them. */
export interface FuzzTarget {
  readonly name: string;
  /** Inputs to begin with: small, valid, and different from each other. */
  readonly seeds: readonly Uint8Array[];
  /** Pieces of the language that the mutator inserts. */
  readonly words?: readonly (string | Uint8Array)[];
  /** In bytes. @default 4096 */
  readonly maxLength?: number;
  /**
   * Reads one input. Returns whether it was accepted: an error that a client is meant to see is a refusal and is caught here, by its
   * class. Anything thrown is a finding, and so is a promise that this broke (a round trip that changes the value).
   */
  run(input: Uint8Array): boolean | Promise<boolean>;
  /** Ends what `run` needs: a server, a connection. */
  stop?(): Promise<void>;
}

/** A target is made when it is chosen: some start a server. */
export type FuzzTargetFactory = () => FuzzTarget | Promise<FuzzTarget>;

/** A promise of a target that an input has broken. */
export class BrokenPromise extends Error {
  constructor(message: string) {
    super(message);
    this.name = "BrokenPromise";
  }
}

/** Whether `read` returned; errors of the given classes are refusals, all others pass. */
export function accepts(
  read: () => unknown,
  ...refusals: readonly (abstract new (
    ...args: never[]
  ) => Error)[]
): boolean {
  try {
    read();
    return true;
  } catch (err) {
    if (refusals.some((refusal) => err instanceof refusal)) return false;
    throw err;
  }
}

const encoder = new TextEncoder();
export const seed = (text: string): Uint8Array => encoder.encode(text);
/** Bytes, written as a text of one character each. */
export const bytesOf = (latin1: string): Uint8Array => Buffer.from(latin1, "latin1");
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
/** The input as a text; what is no UTF-8 becomes the replacement character. */
export const textOf = (input: Uint8Array): string => decoder.decode(input);
