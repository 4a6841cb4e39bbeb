import type { ServiceCIDR } from "@coxswain/api/networking/v1";
import { cloneJson, walk } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { formatTime } from "@coxswain/apimachinery/time";
import type { Logger } from "@coxswain/component/log";
import { noAdmission } from "../../admission/admission.js";
import { createLister } from "../../cache/lister.js";
import type { ObjectDeps } from "../../objects/object-deps.js";
import { objectKey } from "../../cache/object-key.js";
import { updateObject } from "../../objects/update.js";
import { actOnChanges } from "../act-on-changes.js";
import { ensureObjects, type KindOf } from "../bootstrap.js";
import { ignoreGone } from "../ignore-gone.js";
import { eventName } from "../server-events.js";
import { serverScope } from "../server-scope.js";
import { storedKind } from "../../catalogue/stored-kind.js";
import { defaultServiceCidr } from "./default-cidr.js";
import { planDefaultCidr } from "./plan-default-cidr.js";

type StoredCidr = ServiceCIDR & KubernetesObject;

const name = "kubernetes";
const controller = "kubernetes-service-cidr-controller";

/** Keeps the ServiceCIDR of the server's own flags: made again when it is gone, widened when a second address family was added. */
export function keepDefaultCidr(
  deps: ObjectDeps,
  kindOf: KindOf,
  { cidrs, log }: { readonly cidrs: readonly string[]; readonly log: Logger },
): { stop(): Promise<void> } {
  const kind = storedKind("networking.k8s.io", "servicecidrs");
  const inner = { ...deps, admission: noAdmission };
  const ranges = createLister<StoredCidr>(deps.feed.cacheOf(kind));
  /** Each thing is told once. */
  const told = new Set<string>();

  const change = (view: "" | "status", make: (cidr: StoredCidr) => void): Promise<unknown> =>
    updateObject(
      inner,
      { ...serverScope(kind, { name, view }), ...(view === "" ? {} : { manager: controller }) },
      {
        next(current) {
          const next = cloneJson(current) as StoredCidr;
          make(next);
          return Promise.resolve(walk(next, kind.schema) as KubernetesObject);
        },
      },
    ).catch(ignoreGone);

  async function act(): Promise<void> {
    const current = ranges.get(objectKey(kind, "", name));
    const plan = planDefaultCidr(current, cidrs);
    switch (plan.do) {
      case "nothing":
        return;
      case "create":
        return ensureObjects(deps, kindOf, [defaultServiceCidr(cidrs, deps.clock.now())]);
      case "widen":
        return void (await change("", (cidr) => void (cidr.spec = { ...cidr.spec, cidrs: [...cidrs] })));
      case "say ready":
        return void (await change(
          "status",
          (cidr) =>
            void Object.assign(cidr, { status: (defaultServiceCidr(cidrs, deps.clock.now()) as StoredCidr).status }),
        ));
      case "tell": {
        if (told.has(plan.reason)) return;
        told.add(plan.reason);
        log.warn(plan.message);
        await tell(inner, current as KubernetesObject, plan);
      }
    }
  }

  return actOnChanges(
    { kinds: [kind], only: { namespace: "", name }, act, failed: "the ServiceCIDR of the server's flags was not kept" },
    deps,
    log,
  );
}

/** In the older form of Events, as upstream tells of this. */
async function tell(
  deps: ObjectDeps,
  { apiVersion, kind: aboutKind, metadata }: KubernetesObject,
  { reason, message }: { readonly reason: string; readonly message: string },
): Promise<void> {
  const now = deps.clock.now();
  const kind = storedKind("", "events");
  const event = { name: eventName(deps, name, now), namespace: "default" };
  const involvedObject = {
    apiVersion,
    kind: aboutKind,
    name: metadata.name,
    uid: metadata.uid,
    resourceVersion: metadata.resourceVersion,
  };
  const object = {
    apiVersion: "v1",
    kind: "Event",
    metadata: event,
    involvedObject,
    reason,
    message,
    type: "Warning",
    source: { component: controller },
    firstTimestamp: formatTime(now),
    lastTimestamp: formatTime(now),
    count: 1,
    reportingComponent: controller,
  };
  await updateObject(deps, serverScope(kind, event), {
    forceCreate: true,
    next: () => Promise.resolve(walk(object, kind.schema) as KubernetesObject),
  });
}
