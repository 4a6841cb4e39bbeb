import { goJson } from "../field/index.js";
import { type EvaluateOptions, evaluate } from "./evaluate.js";
import { goText, isList, isMap, sortedCopy } from "./go-value.js";
import type { Node } from "./node.js";
import { parseTemplate } from "./parse.js";

/** A template of kubectl's `-o jsonpath`: text, and paths in braces. */
export interface JsonPath {
  /** The values that each piece of the template finds. @throws JsonPathError */
  find(data: unknown, options?: EvaluateOptions): unknown[][];
  /** What the template prints: several values of a path with spaces between, objects and lists as JSON. @throws JsonPathError */
  print(data: unknown, options?: EvaluateOptions): string;
  /** The values of each piece as a list in JSON: `-o jsonpath-as-json`. @throws JsonPathError */
  printJson(data: unknown, options?: EvaluateOptions): string;
}

/** @throws JsonPathError */
export function parseJsonPath(template: string): JsonPath {
  const nodes: readonly Node[] = parseTemplate(template);
  const find = (data: unknown, options?: EvaluateOptions): unknown[][] => evaluate(nodes, data, options);
  return {
    find,
    print: (data, options) =>
      find(data, options)
        .map((values) => values.map(valueText).join(" "))
        .join(""),
    printJson: (data, options) =>
      find(data, options)
        .map((values) => `${goJson(sortedCopy(values), 4)}\n`)
        .join(""),
  };
}

/** One value as a template prints it. */
export function valueText(value: unknown): string {
  if (isList(value) || isMap(value)) return goJson(sortedCopy(value));
  return value === null ? "null" : goText(value);
}

const relaxedForm = /^\{\.?([^{}]+)\}$|^\.?([^{}]+)$/;

/**
 * A path as people write it for columns and sorting, with or without braces and the first dot, made complete.
 * The empty text stays empty; undefined where it cannot be one.
 */
export function relaxedJsonPath(text: string): string | undefined {
  if (text === "") return "";
  const [whole, inBraces, bare] = relaxedForm.exec(text) ?? [];
  return whole === undefined ? undefined : `{.${inBraces ?? bare ?? ""}}`;
}
