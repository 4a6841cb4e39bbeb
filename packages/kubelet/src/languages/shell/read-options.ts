/** Options of a command that takes short ones together (`-qO-`) and long ones with a value behind them or after `=`. */
export interface ReadOptions {
  /** By letter or long name; the values of one that is given several times, in order. Those without a value have an empty one. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly operands: readonly string[];
  /** The first option that the command does not have. */
  readonly unknown: string | undefined;
}

export interface OptionTable {
  /** Letters and long names that have a value. */
  readonly valued: ReadonlySet<string>;
  /** Those that have none. */
  readonly plain: ReadonlySet<string>;
}

export function readOptions(args: readonly string[], { valued, plain }: OptionTable): ReadOptions {
  const values = new Map<string, string[]>();
  const operands: string[] = [];
  let unknown: string | undefined;
  const put = (name: string, value: string): void => void values.set(name, [...(values.get(name) ?? []), value]);
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === "--") {
      for (const operand of rest.splice(0)) operands.push(operand);
    } else if (arg.startsWith("--")) {
      const [name = "", ...parts] = arg.slice(2).split("=");
      if (valued.has(name)) put(name, parts.length > 0 ? parts.join("=") : (rest.shift() ?? ""));
      else if (plain.has(name)) put(name, "");
      else unknown ??= arg;
    } else if (arg.startsWith("-") && arg.length > 1) {
      for (let at = 1; at < arg.length; at++) {
        const letter = arg[at] as string;
        if (valued.has(letter)) {
          put(letter, at + 1 < arg.length ? arg.slice(at + 1) : (rest.shift() ?? ""));
          break;
        }
        if (plain.has(letter)) put(letter, "");
        else unknown ??= `-${letter}`;
      }
    } else operands.push(arg);
  }
  return { values, operands, unknown };
}
