import { ShellSyntaxError } from "./syntax.js";

/** Binary operators by how tightly they bind, loosest first. */
const levels: readonly (readonly string[])[] = [
  ["||"],
  ["&&"],
  ["|"],
  ["^"],
  ["&"],
  ["==", "!="],
  ["<=", ">=", "<", ">"],
  ["<<", ">>"],
  ["+", "-"],
  ["*", "/", "%"],
];

/** Parentheses and signs inside each other: each takes a part of the stack. */
const maxDepth = 100;

const truth = (value: boolean): number => (value ? 1 : 0);

function apply(operator: string, a: number, b: number): number {
  switch (operator) {
    case "||":
      return truth(a !== 0 || b !== 0);
    case "&&":
      return truth(a !== 0 && b !== 0);
    case "|":
      return a | b;
    case "^":
      return a ^ b;
    case "&":
      return a & b;
    case "==":
      return truth(a === b);
    case "!=":
      return truth(a !== b);
    case "<=":
      return truth(a <= b);
    case ">=":
      return truth(a >= b);
    case "<":
      return truth(a < b);
    case ">":
      return truth(a > b);
    case "<<":
      return a * 2 ** b;
    case ">>":
      return Math.floor(a / 2 ** b);
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    default:
      if (b === 0) throw new ShellSyntaxError("divide by zero");
      return operator === "/" ? Math.trunc(a / b) : a % b;
  }
}

/** The value of an expression in whole numbers, as `$((…))` computes it. @throws ShellSyntaxError */
export function evaluateArithmetic(text: string, valueOf: (name: string) => string | undefined): number {
  const tokens = tokenize(text);
  let at = 0;
  let depth = 0;

  function binary(level: number): number {
    const operators = levels[level];
    if (!operators) return unary();
    let left = binary(level + 1);
    for (let operator = tokens[at]; operator !== undefined && operators.includes(operator); operator = tokens[at]) {
      at++;
      left = apply(operator, left, binary(level + 1));
    }
    return left;
  }

  function unary(): number {
    if (++depth > maxDepth) throw new ShellSyntaxError("arithmetic: nested too deeply");
    const value = operand();
    depth--;
    return value;
  }

  function operand(): number {
    const token = tokens[at++];
    if (token === undefined) return 0;
    if (token === "-") return -unary();
    if (token === "+") return unary();
    if (token === "!") return truth(unary() === 0);
    if (token === "(") {
      const value = binary(0);
      if (tokens[at++] !== ")") throw new ShellSyntaxError("arithmetic: missing )");
      return value;
    }
    const value = Number(/^[0-9]/.test(token) ? token : valueOf(token) || "0");
    if (!Number.isFinite(value)) throw new ShellSyntaxError(`arithmetic: ${token} is no number`);
    return Math.trunc(value);
  }

  const value = binary(0);
  if (at < tokens.length) throw new ShellSyntaxError("arithmetic: unexpected text");
  return value;
}

const tokenPattern = /\s*([0-9]+|[A-Za-z_][A-Za-z0-9_]*|\|\||&&|==|!=|<=|>=|<<|>>|[-+*/%()<>&|^!])/y;

function tokenize(text: string): string[] {
  const tokens: string[] = [];
  const source = text.trim();
  let at = 0;
  while (at < source.length) {
    tokenPattern.lastIndex = at;
    const match = tokenPattern.exec(source);
    if (!match?.[1]) throw new ShellSyntaxError(`arithmetic: unexpected ${source.slice(at, at + 10)}`);
    tokens.push(match[1]);
    at = tokenPattern.lastIndex;
  }
  return tokens;
}
