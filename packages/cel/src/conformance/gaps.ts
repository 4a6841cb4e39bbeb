import { type ConformanceCase } from "./case.js";

/** Cases of the specification that are answered differently here, and why. */
export interface Gap {
  readonly reason: string;
  covers(one: ConformanceCase): boolean;
  /** How many of the cases it covers have another answer. Once a case is answered as it should be, this is to go down. */
  readonly count: number;
}

const inFiles =
  (...files: string[]) =>
  ({ file }: ConformanceCase): boolean =>
    files.includes(file);

const named =
  (file: string, ...names: string[]) =>
  (one: ConformanceCase): boolean =>
    one.file === file && names.includes(one.name);

/** In order: the first that covers a case is the one. */
export const gaps: readonly Gap[] = [
  { reason: "cel.@block is an optimizer's, not part of any environment", covers: inFiles("block_ext"), count: 37 },
  { reason: "Kubernetes has no math extension", covers: inFiles("math_ext"), count: 182 },
  { reason: "Kubernetes has no encoders", covers: inFiles("encoders_ext"), count: 4 },
  {
    reason: "cel-go, and so Kubernetes: milliseconds of a duration are all of them",
    covers: named("timestamps", "get_milliseconds"),
    count: 1,
  },
  {
    reason: "protobuf messages: Kubernetes' data is JSON with schemas",
    covers: (one) =>
      inFiles("proto2", "proto2_ext", "proto3", "enums", "wrappers", "fields", "dynamic")(one) ||
      /proto[23]|google\.protobuf/.test(one.container ?? "") ||
      /google\.protobuf\.|TestAllTypes|proto[23]/.test(one.expr) ||
      /messageType|@type/.test(JSON.stringify([one.typeEnv, one.bindings, one.value])),
    count: 636,
  },
  {
    reason: "expressions that were not checked are not evaluated: Kubernetes checks all of them",
    covers: (one) => one.disableCheck === true,
    count: 28,
  },
  {
    reason:
      "version 2 of the strings extension, as Kubernetes has it: format writes numbers by locale, and quotes elements",
    covers: ({ file, section }) => file === "string_ext" && section === "format",
    count: 18,
  },
  {
    reason: "version 2 of the strings extension: an offset beyond the end finds nothing",
    covers: named("string_ext", "indexof_out_of_range", "lastindexof_out_of_range"),
    count: 2,
  },
  {
    reason: "cel-go by default, and so Kubernetes: what is no map has no optional fields, rather than an error",
    covers: named("optionals", "map_null_entry_no_such_key", "map_present_key_invalid_field"),
    count: 2,
  },
  {
    reason: "cel-go, and so Kubernetes: a list of a value and null is one of null",
    covers: named("type_deductions", "null_assignable_to_abstract_parameter_candidate"),
    count: 1,
  },
];
