import type { FlowSchema } from "@coxswain/api/flowcontrol/v1";
import { walk } from "@coxswain/apimachinery/json";
import { applyServerSide } from "@coxswain/apimachinery/managed-fields";
import { formatGroupVersion, type KubernetesObject } from "@coxswain/apimachinery/meta";
import { formatTime } from "@coxswain/apimachinery/time";
import type { AnyKind } from "@coxswain/kinds";
import { createLister } from "../../cache/lister.js";
import { collectionPrefix, objectKey } from "../../cache/object-key.js";
import type { KindOf } from "../../catalogue/kind-finder.js";
import { storedKind } from "../../catalogue/stored-kind.js";
import { type Controller, createWholeController } from "../../controllers/controller.js";
import type { ControllerContext } from "../../controllers/controller-context.js";
import { ignoreGone } from "../../controllers/ignore-gone.js";
import { deleteObject } from "../../objects/delete.js";
import { entriesOf, versionOptions, withEntries, withoutEntries } from "../../objects/managed-fields.js";
import type { ObjectDeps } from "../../objects/object-deps.js";
import { serverScope } from "../../objects/server-scope.js";
import { updateObject } from "../../objects/update.js";
import { ensureObjects } from "../own-writes/ensure-objects.js";
import { bootstrapFlowControl } from "./bootstrap-flow-control.js";
import { isLeftOver, planDangling, planRevision } from "./plan-revision.js";

/**
 * Brings the server's own schemas and levels up to date, and writes into schemas whether their level exists: now,
 * and whenever one of them changes or goes.
 */
export function createFlowControlController(context: ControllerContext): Controller {
  const kinds = ["flowschemas", "prioritylevelconfigurations"].map((resource) =>
    storedKind("flowcontrol.apiserver.k8s.io", resource),
  ) as [AnyKind, AnyKind];
  return createWholeController(context, {
    name: "flow-control",
    failure: "the schemas and levels of priority and fairness were not brought up to date",
    watched: kinds.map((kind) => ({ kind })),
    reconcile: () => reconcile(context.objects, context.kindOf, kinds),
  });
}

async function reconcile(
  deps: ObjectDeps,
  kindOf: KindOf,
  [schemas, levels]: readonly [AnyKind, AnyKind],
): Promise<void> {
  const now = deps.runtime.clock.now();
  const wanted = bootstrapFlowControl(now);
  await ensureObjects(deps, kindOf, wanted);
  for (const object of wanted) await revise(deps, kindOf(object), object);
  for (const kind of [schemas, levels]) {
    const names = new Set(
      wanted.filter((object) => kindOf(object) === kind).map(({ metadata }) => metadata.name ?? ""),
    );
    for (const current of all<KubernetesObject>(deps, kind))
      if (isLeftOver(current, names))
        await deleteObject(deps, serverScope(kind, { name: current.metadata.name ?? "" }), {}).catch(ignoreGone);
  }
  const exists = (name: string): boolean => deps.feed.cacheOf(levels).has(objectKey(levels, "", name));
  for (const schema of all<FlowSchema & KubernetesObject>(deps, schemas))
    await writeStatus(deps, schemas, schema, exists, now);
}

const all = <T>(deps: ObjectDeps, kind: AnyKind): T[] => [
  ...createLister<T>(deps.feed.cacheOf(kind), "leave out").list(collectionPrefix(kind, "")),
];

async function revise(deps: ObjectDeps, kind: AnyKind, wanted: KubernetesObject): Promise<void> {
  const name = wanted.metadata.name ?? "";
  const current = createLister<KubernetesObject>(deps.feed.cacheOf(kind), "leave out").get(objectKey(kind, "", name));
  const complete = walk(wanted, kind.schema) as KubernetesObject;
  if (!current || !planRevision(current, complete)) return;
  const scope = { ...serverScope(kind, { name }), manager: "api-priority-and-fairness-config-producer-v1" };
  await updateObject(deps, scope, {
    next: (old = current) => Promise.resolve(planRevision(old, complete) ?? old),
  }).catch(ignoreGone);
}

async function writeStatus(
  deps: ObjectDeps,
  kind: AnyKind,
  schema: FlowSchema & KubernetesObject,
  exists: (level: string) => boolean,
  now: number,
): Promise<void> {
  const condition = planDangling(schema, exists(schema.spec?.priorityLevelConfiguration.name ?? ""), now);
  if (!condition) return;
  const name = schema.metadata.name ?? "";
  const manager = "api-priority-and-fairness-config-consumer-v1";
  const scope = { ...serverScope(kind, { name, view: "status" }), manager };
  // Applied, as upstream does (k8s.io/apiserver/pkg/util/flowcontrol/apf_controller.go, ApplyStatus): other conditions belong to the clients that wrote them.
  const next = (live: KubernetesObject = schema): Promise<KubernetesObject> => {
    const applied = {
      apiVersion: formatGroupVersion(kind),
      kind: kind.kind,
      metadata: { name },
      status: { conditions: [condition] },
    };
    const { object, entries } = applyServerSide({
      ...versionOptions(scope),
      live: withoutEntries(live),
      applied,
      kind: kind.kind,
      manager,
      force: true,
      subresource: "status",
      time: formatTime(now),
      entries: entriesOf(live),
    });
    return Promise.resolve(withEntries(walk(object, kind.schema) as KubernetesObject, entries));
  };
  await updateObject(deps, scope, { next, fieldsTracked: true }).catch(ignoreGone);
}
