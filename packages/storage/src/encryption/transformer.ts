/** A value as it was meant, and whether it would be written otherwise today. */
export interface ReadValue {
  readonly value: Uint8Array;
  readonly stale: boolean;
}

/**
 * Turns values into what is kept, and back. `context` is the key of the value: what was written for one key must not be
 * readable as another's. Answers at once wherever it can: only a key that a remote service has to open takes a promise.
 */
export interface Transformer {
  read(kept: Uint8Array, context: Uint8Array): ReadValue | Promise<ReadValue>;
  write(value: Uint8Array, context: Uint8Array): Uint8Array | Promise<Uint8Array>;
}

/** One of several, distinguished by the prefix of the stored value. */
export interface PrefixedTransformer {
  readonly prefix: string;
  readonly transformer: Transformer;
}

/** A value that cannot be read back. */
export class TransformError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "TransformError";
  }
}

const encryptedPrefix = Buffer.from("k8s:enc:");

/** Plain values. It refuses what somebody encrypted, so that a later provider gets its chance. */
export const identityTransformer: Transformer = {
  read(kept) {
    if (startsWith(kept, encryptedPrefix))
      throw new TransformError("identity transformer tried to read encrypted data");
    return { value: kept, stale: false };
  },
  write: (value) => value,
};

/**
 * Writes with the first; reads with those whose prefix fits, in order, until one succeeds. Several may have the same
 * prefix (one provider given twice, with different keys). What another than the first can read is stale.
 */
export function firstOf(transformers: readonly PrefixedTransformer[], noMatch: string): Transformer {
  const all = transformers.map(({ prefix, transformer }) => ({ prefix: Buffer.from(prefix), transformer }));
  const first = all[0];
  if (!first) throw new TypeError("at least one transformer is needed");
  const withPrefix = (kept: Uint8Array): Uint8Array =>
    first.prefix.length === 0 ? kept : Buffer.concat([first.prefix, kept]);
  return {
    read(kept, context) {
      const candidates = all.flatMap(({ prefix, transformer }, index) =>
        startsWith(kept, prefix) ? [{ prefix, transformer, index }] : [],
      );
      const failures: Error[] = [];
      const attempt = (from: number): ReadValue | Promise<ReadValue> => {
        for (let position = from; position < candidates.length; position += 1) {
          const { prefix, transformer, index } = candidates[position]!;
          // That a value is not plain is not the reason why it could not be read.
          const failed = (error: Error): void => void (prefix.length > 0 && failures.push(error));
          const mark = (read: ReadValue): ReadValue => (index === 0 || read.stale ? read : { ...read, stale: true });
          try {
            const read = transformer.read(kept.subarray(prefix.length), context);
            if (!(read instanceof Promise)) return mark(read);
            return read.then(mark, (error: Error) => {
              failed(error);
              return attempt(position + 1);
            });
          } catch (error) {
            failed(error as Error);
          }
        }
        throw failures.length === 0
          ? new TransformError(noMatch)
          : failures.length === 1
            ? failures[0]!
            : new TransformError(`[${[...new Set(failures.map(({ message }) => message))].join(", ")}]`);
      };
      return attempt(0);
    },
    write(value, context) {
      const kept = first.transformer.write(value, context);
      return kept instanceof Promise ? kept.then(withPrefix) : withPrefix(kept);
    },
  };
}

const startsWith = (value: Uint8Array, prefix: Buffer): boolean =>
  value.length >= prefix.length && prefix.equals(value.subarray(0, prefix.length));
