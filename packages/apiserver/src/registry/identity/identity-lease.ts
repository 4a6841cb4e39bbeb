import { getOwn } from "@coxswain/apimachinery/own";
import type { Lease } from "@coxswain/api/coordination/v1";
import type { Timer } from "@coxswain/runtime/clock";
import { cloneJson } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { randomUuid } from "@coxswain/runtime/random";
import { formatMicroTime } from "@coxswain/apimachinery/time";
import type { Logger } from "@coxswain/runtime/log";
import { noAdmission } from "../../admission/admission.js";
import { createLister } from "../../cache/lister.js";
import { deleteObject } from "../../objects/delete.js";
import type { ObjectDeps } from "../../objects/object-deps.js";
import { collectionPrefix } from "../../cache/object-key.js";
import { updateObject } from "../../objects/update.js";
import { identityName } from "../../configuration/identity-name.js";
import { serverScope } from "../../objects/server-scope.js";
import { storedKind } from "../../catalogue/stored-kind.js";

const renewEveryMs = 10_000;
const durationSeconds = 3600;
const label = "apiserver.kubernetes.io/identity";

export interface Identity {
  readonly hostname: string;
  /** How other servers reach this one. */
  readonly peerAddress?: string;
}

type StoredLease = Lease & KubernetesObject & { spec: NonNullable<Lease["spec"]> };

/** The Lease by which others see that this server is alive. */
export function identityLease(
  { hostname, peerAddress }: Identity,
  deps: Pick<ObjectDeps, "clock" | "random">,
): KubernetesObject {
  const name = identityName(hostname);
  return {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: {
      name,
      namespace: "kube-system",
      labels: { [label]: "kube-apiserver", "kubernetes.io/hostname": hostname },
      ...(peerAddress === undefined ? {} : { annotations: { "kubernetes.io/peer-advertise-address": peerAddress } }),
    },
    spec: {
      holderIdentity: `${name}_${randomUuid(deps.random)}`,
      leaseDurationSeconds: durationSeconds,
      renewTime: formatMicroTime(deps.clock.now()),
    },
  } as KubernetesObject;
}

/** Renews the lease every ten seconds, and clears away those of servers that are gone, now and every hour. */
export function keepIdentity(deps: ObjectDeps, lease: KubernetesObject, log: Logger): { stop(): Promise<void> } {
  const kind = storedKind("coordination.k8s.io", "leases");
  const scope = serverScope(kind, { namespace: "kube-system", name: lease.metadata.name ?? "" });
  const inner = { ...deps, admission: noAdmission };
  let stopped = false;
  let timer: Timer | undefined;
  let renewals = 0;
  let last = Promise.resolve();

  async function renew(): Promise<void> {
    await updateObject(inner, scope, {
      forceCreate: true,
      next(current) {
        const next = cloneJson(current ?? lease) as StoredLease;
        const { metadata, spec } = lease as StoredLease;
        if (metadata.annotations) next.metadata.annotations = { ...next.metadata.annotations, ...metadata.annotations };
        Object.assign(next.spec, spec, { renewTime: formatMicroTime(deps.clock.now()) });
        return Promise.resolve(next);
      },
    });
    if (renewals++ % 360 === 0) await clear();
  }

  async function clear(): Promise<void> {
    for (const { metadata, spec } of createLister<StoredLease>(deps.feed.cacheOf(kind), "leave out").list(
      collectionPrefix(kind, "kube-system"),
    )) {
      if (getOwn(metadata.labels, label) !== "kube-apiserver" || metadata.name === scope.name) continue;
      const end = Date.parse(spec.renewTime ?? "") + (spec.leaseDurationSeconds ?? 0) * 1000;
      if (end < deps.clock.now())
        await deleteObject(inner, serverScope(kind, { namespace: "kube-system", name: metadata.name ?? "" }), {});
    }
  }

  function step(): void {
    last = renew()
      .catch((error: unknown) => log.warn("the identity lease was not renewed", { error }))
      .finally(() => {
        if (!stopped) timer = deps.clock.setTimer(renewEveryMs, step);
      });
  }
  step();
  return {
    async stop() {
      stopped = true;
      timer?.cancel();
      await last;
    },
  };
}
