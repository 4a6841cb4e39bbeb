import {
  createPodEvaluator,
  createResourceClaimEvaluator,
  serviceEvaluator,
  type UsageEvaluator,
  volumeClaimEvaluator,
} from "@coxswain/api/quota";
import type { DeviceClass, ResourceClaim } from "@coxswain/api/resource/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { builtInKinds } from "@coxswain/kinds";
import type { StoredPod } from "@coxswain/kinds/core/pod";
import type { Runtime } from "@coxswain/runtime";
import type { CacheFeed } from "../../cache/cache-feed.js";
import { createLister, type Lister } from "../../cache/lister.js";
import { storedKind } from "../../catalogue/stored-kind.js";
import type { AdmissionPlugin } from "../admission.js";
import type { PluginConfiguration } from "../configuration/plugin-configuration.js";
import type { Quota } from "./check-request.js";
import { readQuotaConfiguration } from "./configuration.js";
import type { QuotaWriter } from "./quota-writer.js";
import { createResourceQuota } from "./resource-quota.js";

export interface QuotaDeps {
  readonly feed: CacheFeed;
  readonly gates: { enabled(gate: string): boolean };
  readonly runtime: Runtime;
  readonly quotaWriter: QuotaWriter;
}

/** The plugin with all that counts more than objects, reading the watch caches. */
export function makeResourceQuota(
  { feed, gates, runtime, quotaWriter }: QuotaDeps,
  configuration: PluginConfiguration | undefined,
): AdmissionPlugin {
  const listerOf = <T>(group: string, resource: string): Lister<T> =>
    createLister<T>(feed.cacheOf(storedKind(group, resource)));
  const pods = createPodEvaluator({ now: () => runtime.clock.now(), gates });
  const quotas = listerOf<Quota>("", "resourcequotas");
  const evaluators = new Map<string, UsageEvaluator>([
    ["/pods", pods],
    ["/services", serviceEvaluator],
    ["/persistentvolumeclaims", volumeClaimEvaluator],
  ]);
  if (builtInKinds.some(({ resource }) => resource === "resourceclaims")) {
    const classes = listerOf<DeviceClass & KubernetesObject>("resource.k8s.io", "deviceclasses");
    const claims = listerOf<ResourceClaim & KubernetesObject>("resource.k8s.io", "resourceclaims");
    const stored = listerOf<StoredPod>("", "pods");
    evaluators.set(
      "resource.k8s.io/resourceclaims",
      createResourceClaimEvaluator({
        deviceClasses: () => classes.list("/registry/deviceclasses/"),
        deviceClass: (name) => classes.get(`/registry/deviceclasses/${name}`),
        claimsIn: (namespace) => claims.list(`/registry/resourceclaims/${namespace}/`),
        pod: (namespace, name) => stored.get(`/registry/pods/${namespace}/${name}`),
        podUsage: (pod) => pods.usage(pod),
        gates,
      }),
    );
  }
  return createResourceQuota({
    evaluators,
    quotasOf: (namespace) => [...quotas.list(`/registry/resourcequotas/${namespace}/`)],
    writer: quotaWriter,
    limited: readQuotaConfiguration(configuration),
  });
}
