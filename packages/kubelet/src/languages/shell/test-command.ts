import { fail, type ShellProcess } from "./shell-process.js";

/** `test`: 0 where the expression holds, 1 where not, 2 where it makes no sense. */
export function evaluateTest(args: readonly string[], process: ShellProcess): number {
  let at = 0;
  const or = (): boolean => {
    let value = and();
    while (args[at] === "-o" || args[at] === "||") {
      at++;
      const right = and();
      value = value || right;
    }
    return value;
  };
  const and = (): boolean => {
    let value = not();
    while (args[at] === "-a" || args[at] === "&&") {
      at++;
      const right = not();
      value = value && right;
    }
    return value;
  };
  const not = (): boolean => {
    let isNegated = false;
    for (; args[at] === "!"; at++) isNegated = !isNegated;
    return primary() !== isNegated;
  };
  const primary = (): boolean => {
    const [left, operator, right] = [args[at] ?? "", args[at + 1], args[at + 2]];
    const compare = operator === undefined ? undefined : comparisons.get(operator);
    if (compare && right !== undefined) {
      at += 3;
      return compare(left, right);
    }
    const unary = unaries.get(left);
    if (unary && operator !== undefined) {
      at += 2;
      return unary(operator, process);
    }
    at++;
    return left !== "";
  };
  const value = args.length > 0 && or();
  if (at < args.length) return fail(process, `sh: ${args[at]}: unknown operand`, 2);
  return value ? 0 : 1;
}

const comparisons = new Map<string, (a: string, b: string) => boolean>([
  ["=", (a, b) => a === b],
  ["==", (a, b) => a === b],
  ["!=", (a, b) => a !== b],
  ["<", (a, b) => a < b],
  [">", (a, b) => a > b],
  ["-eq", (a, b) => Number(a) === Number(b)],
  ["-ne", (a, b) => Number(a) !== Number(b)],
  ["-lt", (a, b) => Number(a) < Number(b)],
  ["-le", (a, b) => Number(a) <= Number(b)],
  ["-gt", (a, b) => Number(a) > Number(b)],
  ["-ge", (a, b) => Number(a) >= Number(b)],
]);

const exists = (path: string, { files, resolve }: ShellProcess): boolean =>
  files.read(resolve(path)) !== undefined || files.isDirectory(resolve(path));

const unaries = new Map<string, (operand: string, process: ShellProcess) => boolean>([
  ["-z", (text) => text === ""],
  ["-n", (text) => text !== ""],
  ["-e", exists],
  ["-r", exists],
  ["-w", exists],
  ["-x", exists],
  ["-f", (path, { files, resolve }) => files.read(resolve(path)) !== undefined],
  ["-d", (path, { files, resolve }) => files.isDirectory(resolve(path))],
  ["-s", (path, { files, resolve }) => (files.read(resolve(path))?.length ?? 0) > 0],
]);
