import type { ServiceCIDR } from "@coxswain/api/networking/v1";
import { cloneJson, walk } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { formatTime } from "@coxswain/apimachinery/time";
import { createLister } from "../../cache/lister.js";
import { objectKey } from "../../cache/object-key.js";
import { storedKind } from "../../catalogue/stored-kind.js";
import { type Controller, createWholeController } from "../../controllers/controller.js";
import type { ControllerContext } from "../../controllers/controller-context.js";
import { ignoreGone } from "../../controllers/ignore-gone.js";
import type { ObjectDeps } from "../../objects/object-deps.js";
import { serverScope } from "../../objects/server-scope.js";
import { updateObject } from "../../objects/update.js";
import { ensureObjects } from "../own-writes/ensure-objects.js";
import { eventName } from "../own-writes/server-events.js";
import { defaultServiceCidr } from "./default-cidr.js";
import { planDefaultCidr } from "./plan-default-cidr.js";

type StoredCidr = ServiceCIDR & KubernetesObject;

const name = "kubernetes";
const controller = "kubernetes-service-cidr-controller";

/** Maintains the ServiceCIDR of the server's own flags: made again when it is gone, widened when a second address family was added. */
export function createDefaultCidrController(
  context: ControllerContext,
  { clusterIpRanges: cidrs }: { readonly clusterIpRanges: readonly string[] },
): Controller {
  const { objects: deps, kindOf, runtime } = context;
  const kind = storedKind("networking.k8s.io", "servicecidrs");
  const ranges = createLister<StoredCidr>(deps.feed.cacheOf(kind), "last known");
  /** Each reason is reported once. */
  const reported = new Set<string>();

  const change = (view: "" | "status", make: (cidr: StoredCidr) => void): Promise<unknown> =>
    updateObject(
      deps,
      { ...serverScope(kind, { name, view }), ...(view === "" ? {} : { manager: controller }) },
      {
        next(current) {
          const next = cloneJson(current) as StoredCidr;
          make(next);
          return Promise.resolve(walk(next, kind.schema) as KubernetesObject);
        },
      },
    ).catch(ignoreGone);

  async function reconcile(): Promise<void> {
    const current = ranges.get(objectKey(kind, "", name));
    const plan = planDefaultCidr(current, cidrs);
    switch (plan.do) {
      case "nothing":
        return;
      case "create":
        return ensureObjects(deps, kindOf, [defaultServiceCidr(cidrs, deps.runtime.clock.now())]);
      case "widen":
        return void (await change("", (cidr) => void (cidr.spec = { ...cidr.spec, cidrs: [...cidrs] })));
      case "set ready":
        return void (await change(
          "status",
          (cidr) =>
            void Object.assign(cidr, {
              status: (defaultServiceCidr(cidrs, deps.runtime.clock.now()) as StoredCidr).status,
            }),
        ));
      case "report": {
        if (reported.has(plan.reason)) return;
        reported.add(plan.reason);
        runtime.log.warn(plan.message);
        await recordEvent(deps, current as KubernetesObject, plan);
      }
    }
  }

  return createWholeController(context, {
    name: controller,
    failure: "the ServiceCIDR of the server's flags was not brought up to date",
    watched: [{ kind, only: { namespace: "", name } }],
    reconcile,
  });
}

/** In the older form of Events, as upstream's (pkg/controlplane/controller/defaultservicecidr/default_servicecidr_controller.go, NewRecorder). */
async function recordEvent(
  deps: ObjectDeps,
  { apiVersion, kind: aboutKind, metadata }: KubernetesObject,
  { reason, message }: { readonly reason: string; readonly message: string },
): Promise<void> {
  const now = deps.runtime.clock.now();
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
