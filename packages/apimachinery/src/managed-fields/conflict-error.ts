import { quoteGo } from "../field/index.js";
import { applyConflict, type StatusCause, type StatusError } from "../status/index.js";
import { compareUtf8 } from "../text/utf8-order.js";
import { type Manager, managerId } from "./managers.js";
import type { Conflict } from "./ownership.js";
import { pathText } from "./path-element.js";
import { pathsOf } from "./paths-of.js";

/** 409: others own what would change. Managers come in the order of their identities, so that a message is always the same. */
export function conflictError(conflicts: readonly Conflict[]): StatusError {
  const sorted = [...conflicts].sort((a, b) => compareUtf8(managerId(a.manager), managerId(b.manager)));
  const found = sorted.map(({ manager, set }) => ({
    name: printManager(manager),
    paths: [...pathsOf(set)].map(pathText),
  }));
  const causes: StatusCause[] = found.flatMap(({ name, paths }) =>
    paths.map((path) => ({ reason: "FieldManagerConflict", message: `conflict with ${name}`, field: path })),
  );
  return applyConflict(causes, messageOf(found, causes.length));
}

function messageOf(found: readonly { name: string; paths: readonly string[] }[], count: number): string {
  const [first] = found;
  if (count === 1) return `Apply failed with 1 conflict: conflict with ${first?.name}: ${first?.paths[0]}`;
  const lines = found.flatMap(({ name, paths }) => [`conflicts with ${name}:`, ...paths.map((path) => `- ${path}`)]);
  return `Apply failed with ${count} conflicts: ${lines.join("\n")}`;
}

function printManager({ manager, operation, apiVersion, subresource }: Manager): string {
  const name = subresource === "" ? quoteGo(manager) : `${quoteGo(manager)} with subresource ${quoteGo(subresource)}`;
  return operation === "Update" ? `${name} using ${apiVersion}` : name;
}
