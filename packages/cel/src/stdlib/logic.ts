import { operators } from "../ast/operators.js";
import { type FunctionDeclaration } from "../declarations/function-declaration.js";
import { boolType, dynType, intType, listType, mapType, typeParam } from "../types/type.js";
import { noSuchOverload } from "../values/value.js";

const paramA = typeParam("A");

/** What the interpreter plans itself is declared for the checker only: `&&`, `||`, `?:` and the index. */
export const logicFunctions: readonly FunctionDeclaration[] = [
  {
    name: operators.conditional,
    overloads: [{ id: "conditional", args: [boolType, paramA, paramA], result: paramA }],
  },
  {
    name: operators.logicalAnd,
    overloads: [{ id: "logical_and", args: [boolType, boolType], result: boolType }],
  },
  {
    name: operators.logicalOr,
    overloads: [{ id: "logical_or", args: [boolType, boolType], result: boolType }],
  },
  {
    name: operators.logicalNot,
    overloads: [{ id: "logical_not", args: [boolType], result: boolType }],
    implementation: (value) => (typeof value === "boolean" ? !value : noSuchOverload()),
  },
  {
    name: operators.notStrictlyFalse,
    overloads: [{ id: "not_strictly_false", args: [boolType], result: boolType, isNonStrict: true }],
    implementation: (value) => (typeof value === "boolean" ? value : true),
  },
  {
    name: operators.index,
    overloads: [
      { id: "index_list", args: [listType(paramA), intType], result: paramA },
      { id: "index_map", args: [mapType(paramA, typeParam("B")), paramA], result: typeParam("B") },
    ],
  },
  {
    name: "dyn",
    overloads: [{ id: "to_dyn", args: [paramA], result: dynType }],
    implementation: (value) => value ?? null,
  },
];
