import { encodeJson, walk } from "@coxswain/apimachinery/json";
import { notFound } from "@coxswain/apimachinery/status";
import type { AnyKind } from "@coxswain/kinds";
import { withBytes } from "../../cache/cache-entry.js";
import { encodedObject } from "../../cache/encoded-object.js";
import { selects } from "../../cache/selection.js";
import type { HandlerDeps } from "../../endpoints/handler-deps.js";
import { readListOptions } from "../../endpoints/list-options.js";
import type { VerbHandler } from "../../endpoints/verb-handler.js";
import type { ComponentChecks, ComponentHealth } from "./component-checks.js";

export interface ComponentStatusDeps extends HandlerDeps {
  readonly components: ComponentChecks;
}

/** Nothing is kept: the component is asked now. */
export const handleComponentStatusGet: VerbHandler<ComponentStatusDeps> = async (
  { components },
  _context,
  { kind, name },
) => {
  const check = components.get(name);
  if (!check) throw notFound({ group: "", resource: "componentstatus" }, name);
  return { as: "object", code: 200, kind, object: encodedObject(statusBytes(kind, name, await check())) };
};

export const handleComponentStatusList: VerbHandler<ComponentStatusDeps> = async (
  { components },
  context,
  { kind },
) => {
  const { selection } = readListOptions(context, kind);
  const statuses = await Promise.all([...components].map(async ([name, check]) => entryOf(kind, name, await check())));
  // There is no state that a revision could name.
  return { as: "list", kind, resourceVersion: "", entries: statuses.filter((entry) => selects(selection, entry)) };
};

const entryOf = (kind: AnyKind, name: string, health: ComponentHealth) =>
  withBytes(
    { key: name, revision: 0, namespace: "", labels: undefined, fields: undefined, stale: false },
    statusBytes(kind, name, health),
  );

const statusBytes = (kind: AnyKind, name: string, health: ComponentHealth): Uint8Array =>
  encodeJson(
    walk(
      { kind: kind.kind, apiVersion: kind.version, metadata: { name }, conditions: [{ type: "Healthy", ...health }] },
      kind.schema,
    ),
    kind.schema,
  );
