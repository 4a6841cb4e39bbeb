import type { Lease } from "@coxswain/api/coordination/v1";
import { cloneJson } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { getOwn } from "@coxswain/apimachinery/own";
import { formatMicroTime } from "@coxswain/apimachinery/time";
import { createLister } from "../../cache/lister.js";
import { collectionPrefix } from "../../cache/object-key.js";
import { storedKind } from "../../catalogue/stored-kind.js";
import { type Controller, createWholeController } from "../../controllers/controller.js";
import type { ControllerContext } from "../../controllers/controller-context.js";
import { deleteObject } from "../../objects/delete.js";
import type { ObjectDeps } from "../../objects/object-deps.js";
import { serverScope } from "../../objects/server-scope.js";
import { updateObject } from "../../objects/update.js";
import { identityLabel } from "./identity-lease.js";

const renewEveryMs = 10_000;
const clearEveryMs = 3_600_000;
const kind = storedKind("coordination.k8s.io", "leases");
const namespace = "kube-system";

type StoredLease = Lease & KubernetesObject & { spec: NonNullable<Lease["spec"]> };

/** Renews the server's lease every ten seconds, and clears away those of servers that are gone, now and every hour. */
export function createIdentityController(context: ControllerContext, lease: KubernetesObject): Controller {
  const { objects, runtime } = context;
  let clearedAt = Number.NEGATIVE_INFINITY;
  return createWholeController(context, {
    name: "identity-lease",
    failure: "the identity lease was not renewed",
    watched: [],
    retry: { baseMs: 200, maxMs: renewEveryMs },
    async reconcile() {
      await renew(objects, lease as StoredLease);
      const now = runtime.clock.monotonic();
      if (now - clearedAt >= clearEveryMs) {
        await clearExpired(objects, lease.metadata.name);
        clearedAt = now;
      }
      return { requeueAfterMs: renewEveryMs };
    },
  });
}

async function renew(objects: ObjectDeps, lease: StoredLease): Promise<void> {
  const { metadata, spec } = lease;
  await updateObject(objects, serverScope(kind, { namespace, name: metadata.name ?? "" }), {
    forceCreate: true,
    next(current) {
      const next = cloneJson(current ?? lease) as StoredLease;
      if (metadata.annotations) next.metadata.annotations = { ...next.metadata.annotations, ...metadata.annotations };
      Object.assign(next.spec, spec, { renewTime: formatMicroTime(objects.runtime.clock.now()) });
      return next;
    },
  });
}

async function clearExpired(objects: ObjectDeps, own: string | undefined): Promise<void> {
  const leases = createLister<StoredLease>(objects.feed.cacheOf(kind), "leave out");
  for (const { metadata, spec } of leases.list(collectionPrefix(kind, namespace))) {
    if (getOwn(metadata.labels, identityLabel) !== "kube-apiserver" || metadata.name === own) continue;
    const endMs = Date.parse(spec.renewTime ?? "") + (spec.leaseDurationSeconds ?? 0) * 1000;
    if (endMs < objects.runtime.clock.now())
      await deleteObject(objects, serverScope(kind, { namespace, name: metadata.name ?? "" }), {});
  }
}
