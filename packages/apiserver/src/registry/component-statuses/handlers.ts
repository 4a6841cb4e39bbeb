import { encodeJson, walk } from "@coxswain/apimachinery/json";
import { notFound } from "@coxswain/apimachinery/status";
import type { AnyKind } from "@coxswain/kinds";
import { createEntry } from "../../cache/cache-entry.js";
import { selects } from "../../cache/selection.js";
import { readListOptions } from "../../endpoints/list-options.js";
import type { VerbHandler } from "../../endpoints/verb-handler.js";
import { encodedObject } from "../../objects/encoded-object.js";
import type { ComponentHealth } from "./component-checks.js";

/** Nothing is kept: the component is asked now. */
export const handleComponentStatusGet: VerbHandler = async ({ components }, _context, { kind, name }) => {
  const check = components.get(name);
  if (!check) throw notFound({ group: "", resource: "componentstatus" }, name);
  return { as: "object", code: 200, kind, object: encodedObject(statusBytes(kind, name, await check())) };
};

export const handleComponentStatusList: VerbHandler = async ({ components }, context, { kind }) => {
  const { selection } = readListOptions(context, kind);
  const statuses = await Promise.all([...components].map(async ([name, check]) => entryOf(kind, name, await check())));
  // There is no state that a revision could name.
  return { as: "list", kind, resourceVersion: "", entries: statuses.filter((entry) => selects(selection, entry)) };
};

function entryOf(kind: AnyKind, name: string, health: ComponentHealth) {
  const bytes = statusBytes(kind, name, health);
  const entry = createEntry({ key: name, revision: 0, namespace: "", name, labels: undefined, fields: undefined, stale: false });
  entry.slab = { bytes, used: bytes.length, liveBytes: bytes.length, refs: [] };
  entry.length = bytes.length;
  return entry;
}

const statusBytes = (kind: AnyKind, name: string, health: ComponentHealth): Uint8Array =>
  encodeJson(walk({ kind: kind.kind, apiVersion: kind.version, metadata: { name }, conditions: [{ type: "Healthy", ...health }] }, kind.schema), kind.schema);
