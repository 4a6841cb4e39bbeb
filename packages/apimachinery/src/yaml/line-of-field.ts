import { runAtOnce } from "@coxswain/runtime/steps";
import { parseDocument } from "./grammar/parse-document.js";
import type { YamlCollection, YamlNode } from "./grammar/yaml-node.js";

/**
 * The line (from 1) of a document in YAML or JSON where a field stands, or the nearest of its parents that is there: a field that is missing
 * is reported where it belongs. `path` has the names of members and the indexes of lists, as strings. Throws DecodeError.
 */
export function lineOfField(document: string, path: readonly string[]): number {
  let node = runAtOnce(parseDocument(document));
  let line = node?.line ?? 1;
  for (const step of path) {
    const found: Place | undefined = node && stepInto(targetOf(node), step);
    if (!found) break;
    ({ node, line } = found);
  }
  return line;
}

interface Place {
  readonly node: YamlNode;
  readonly line: number;
}

const targetOf = (node: YamlNode): YamlNode => (node.kind === "alias" ? targetOf(node.target) : node);

function stepInto(node: YamlNode, step: string): Place | undefined {
  if (node.kind === "mapping") return memberOf(node, step);
  if (node.kind !== "sequence") return undefined;
  const item = node.children[Number(step)];
  return item && { node: item, line: item.line };
}

/** Of several with one name the last counts, as it does for the value. */
function memberOf({ children }: YamlCollection, name: string): Place | undefined {
  for (let at = children.length - 2; at >= 0; at -= 2) {
    const [key, value] = [children[at], children[at + 1]];
    if (key?.kind === "scalar" && key.value === name && value) return { node: value, line: key.line };
  }
  return undefined;
}
