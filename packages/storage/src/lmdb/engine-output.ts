/**
 * Runs a commit. The library prints the error of a failed one to stderr (lmdb's write.js), as an object without a word about the store, and
 * rejects with it as well: who waits for the commit logs what it means. Everything else that is printed meanwhile is printed.
 */
export async function withoutEngineOutput<T>(commit: () => Promise<T>): Promise<T> {
  const { error } = console;
  const print = (...values: unknown[]): void => {
    if (!isEngineError(values)) error.apply(console, values);
  };
  console.error = print;
  try {
    return await commit();
  } finally {
    if (console.error === print) console.error = error;
  }
}

/** The engine's errors have numbers for codes; those of Node have names. */
const isEngineError = ([value, ...rest]: readonly unknown[]): boolean =>
  rest.length === 0 && value instanceof Error && typeof (value as { code?: unknown }).code === "number";
