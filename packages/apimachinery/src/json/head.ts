import { DecodeError } from "./decode-error.js";
import type { SyntaxTree } from "./syntax-tree.js";

const headStruct = String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;

/** What upstream answers when it looks for the version and kind before anything else. */
export function checkHead(tree: SyntaxTree): void {
  if (tree.kind === "null") return;
  if (tree.kind !== "object")
    throw new DecodeError(`json: cannot unmarshal ${tree.kind} into Go value of type ${headStruct}`);
  for (const { name, value } of tree.members) {
    if ((name === "apiVersion" || name === "kind") && value.kind !== "string" && value.kind !== "null") {
      throw new DecodeError(`json: cannot unmarshal ${value.kind} into Go struct field .${name} of type string`);
    }
  }
}
