import { fieldPath, invalid as invalidField } from "@coxswain/apimachinery/field";
import { forbidden, invalid, type Status } from "@coxswain/apimachinery/status";
import { attributesOf } from "../authorization/request-attributes.js";
import { objectKey } from "../cache/object-key.js";
import { unsafeDeletionGate } from "../cache/read-errors.js";
import { resourceOf } from "../catalogue/resource-of.js";
import { fromStore } from "../objects/from-store.js";
import type { DeleteOptions } from "../objects/plan-deletion.js";
import type { RequestContext } from "../request/request-context.js";
import type { HandlerDeps } from "./handler-deps.js";
import { waitForLatest } from "./resource-version.js";
import type { Target } from "./target.js";

const option = "ignoreStoreReadErrorWithClusterBreakingPotential";
const verb = "unsafe-delete-ignore-read-errors";

/** Whether the client asks for the deletion of an object that cannot be read; without the gate the option was dropped. */
export const isUnsafe = (options: DeleteOptions): boolean => options[option] === true;

/** The option counts only with its gate (`handlers/delete.go`, `DeleteResource`). */
export function dropUnsafe(options: DeleteOptions, gates: { enabled(gate: string): boolean }): DeleteOptions {
  if (options[option] === undefined || gates.enabled(unsafeDeletionGate)) return options;
  const { [option]: _dropped, ...others } = options;
  return others;
}

/** `handlers/delete.go`, `DeleteCollection`: what is not read is not collected. */
export function refuseUnsafeCollection(options: DeleteOptions): void {
  if (isUnsafe(options))
    throw invalid({ group: "meta.k8s.io", kind: "DeleteOptions" }, "", [
      invalidField(
        fieldPath(option),
        true,
        "is not allowed with DELETECOLLECTION, try again after removing the option",
      ),
    ]);
}

/**
 * Deletes an object that cannot be read (`handlers/delete.go`, `authorizeUnsafeDelete`; `registry/corrupt_obj_deleter.go`, `Delete`). What the object was
 * is unknown, so there are no preconditions, no finalizers, no grace and no admission: a right of its own is needed.
 * One that is readable by the time of the write is not deleted, which is where upstream has a race.
 */
export async function deleteUnreadable(deps: HandlerDeps, context: RequestContext, target: Target): Promise<Status> {
  context.annotate("apiserver.k8s.io/unsafe-delete-ignore-read-error", "");
  await authorize(deps, context, target);
  const { kind, namespace, name } = target;
  await waitForLatest(deps, context);
  const key = objectKey(kind, namespace, name);
  const note = { time: deps.runtime.clock.now(), user: context.user.name, verb: context.info.verb };
  let revision = deps.feed.cacheOf(kind).unreadable.get(key)?.revision;
  for (;;) {
    if (revision === undefined) throw notCorrupt(target);
    const result = await fromStore(deps.store.delete({ key, expected: revision, note }));
    if (result.kind === "deleted" || !result.current) return deleted(target);
    revision = result.current.unreadable && result.current.revision;
  }
}

async function authorize({ authorizer }: HandlerDeps, context: RequestContext, target: Target): Promise<void> {
  const refuse = (why: string): never => {
    throw forbidden(resourceOf(target.version ?? target.kind), target.name, why);
  };
  if (target.view !== "") refuse(`${option} delete option is not allowed on a subresource or non-resource request`);
  const { decision, reason, error } = await authorizer({ ...attributesOf(context), verb, subresource: "" });
  if (decision === "allow") return;
  refuse(
    error === undefined
      ? `not permitted to do ${JSON.stringify(verb)}, reason: ${reason}`
      : `error while checking permission for ${JSON.stringify(verb)}, ${error}`,
  );
}

const notCorrupt = ({ kind, version, name }: Target): Error =>
  invalid({ group: kind.group, kind: (version ?? kind).resource }, name, [
    invalidField(
      fieldPath(option),
      true,
      "is exclusively used to delete corrupt object(s), try again by removing this option",
    ),
  ]);

const deleted = ({ kind, version, name }: Target): Status => ({
  kind: "Status",
  apiVersion: "v1",
  metadata: {},
  status: "Success",
  code: 200,
  details: { name, kind: (version ?? kind).kind },
});
