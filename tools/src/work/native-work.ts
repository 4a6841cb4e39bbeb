/**
 * What built-in functions do, as far as it grows with what they are called on: `includes` in a loop is quadratic, and not one block of
 * JavaScript shows it. Each call adds the number of elements or characters that it may look at. Spreading, `Map` and regular expressions
 * are not seen.
 */
export interface NativeWork {
  /** Reads the count and sets it to zero. */
  take(): number;
  stop(): void;
}

type Method = (this: { readonly length: number }, ...args: unknown[]) => unknown;

const arrayMethods = [
  "includes",
  "indexOf",
  "lastIndexOf",
  "splice",
  "concat",
  "slice",
  "shift",
  "unshift",
  "join",
  "sort",
];
const textMethods = ["includes", "indexOf", "lastIndexOf", "split", "replaceAll", "localeCompare", "normalize"];
const byteMethods = ["includes", "indexOf", "slice", "set", "fill"];

/**
 * @param withJson counts reading and writing of JSON and lists of members, too: how long a section is. Not for growth: this work is
 * linear, and so much that it hides what is not.
 */
export function countNativeWork({ withJson }: { readonly withJson: boolean } = { withJson: false }): NativeWork {
  let total = 0;
  const undo: (() => void)[] = [];
  const wrap = (owner: object, names: readonly string[]): void => {
    for (const name of names) {
      const found = Object.getOwnPropertyDescriptor(owner, name);
      const original = found?.value as Method | undefined;
      if (found === undefined || original === undefined) continue;
      const counted: Method = function (...args) {
        const result = original.apply(this, args);
        // A search that finds something ends there.
        const isIndex = typeof result === "number" && result >= 0 && name === "indexOf";
        total += isIndex ? result - (typeof args[1] === "number" ? args[1] : 0) + 1 : this.length;
        return result;
      };
      Object.defineProperty(owner, name, { ...found, value: counted });
      undo.push(() => Object.defineProperty(owner, name, found));
    }
  };
  const wrapStatic = (owner: object, name: string, sizeOf: (args: unknown[], result: unknown) => number): void => {
    const found = Object.getOwnPropertyDescriptor(owner, name) as PropertyDescriptor & { value: Function };
    const counted = (...args: unknown[]): unknown => {
      const result = found.value.apply(owner, args) as unknown;
      total += sizeOf(args, result);
      return result;
    };
    Object.defineProperty(owner, name, { ...found, value: counted });
    undo.push(() => Object.defineProperty(owner, name, found));
  };
  wrap(Array.prototype, arrayMethods);
  wrap(String.prototype, textMethods);
  wrap(Object.getPrototypeOf(Uint8Array.prototype) as object, byteMethods);
  if (withJson) {
    wrapStatic(JSON, "parse", ([text]) => String(text).length);
    wrapStatic(JSON, "stringify", (_, text) => String(text).length);
    wrapStatic(Object, "keys", (_, keys) => (keys as unknown[]).length);
    wrapStatic(Object, "entries", (_, entries) => (entries as unknown[]).length);
  }
  return {
    take() {
      const taken = total;
      total = 0;
      return taken;
    },
    stop: () => undo.forEach((restore) => restore()),
  };
}
