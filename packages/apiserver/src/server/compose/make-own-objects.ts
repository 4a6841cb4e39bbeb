import { managedFieldsOptOutGate } from "@coxswain/api/feature-gates";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { kindFinder } from "../../catalogue/kind-finder.js";
import type { RegistryDeps } from "../../registry/contract/registry-deps.js";
import { identityLease } from "../../registry/identity/identity-lease.js";
import { initializerDefinition } from "../../registry/initializers/definition.js";
import { ensureServerObjects } from "../../registry/own-objects/server-objects.js";
import type { ServiceAllocationOptions } from "../../registry/services/allocation.js";
import type { ApiServerOptions } from "./api-server-options.js";
import type { ServerCore } from "./server-core.js";
import { publishedAuthorities } from "./start-controllers.js";

/** Whether what is prepared without gates may be another one with these. How answers are written is not in it. */
const dependsOnGates = ({ api }: ApiServerOptions): boolean =>
  Array.from(api?.featureGates?.keys() ?? []).some((name) => name !== managedFieldsOptOutGate.name);

/** Creates what the server needs before it serves: namespaces, roles, priority levels, its Service. Returns its identity Lease, if it has an identity. */
export async function makeOwnObjects(
  { stored, served, observability, runtime }: ServerCore,
  options: ApiServerOptions,
  { registry, services }: { readonly registry: RegistryDeps; readonly services: ServiceAllocationOptions },
): Promise<KubernetesObject | undefined> {
  const lease = options.identity && identityLease(options.identity, registry);
  if (options.initial) observability.hooks.reach("objects are made");
  else
    await ensureServerObjects(registry, kindFinder(stored), {
      clusterIpRanges: services.clusterIpRanges,
      served,
      endpoint: options.endpoint,
      realNow: runtime.ioClock.now(),
      ...publishedAuthorities(options.authentication),
      more: [
        ...(lease ? [lease] : []),
        ...(registry.gates.enabled("Initializers") ? [initializerDefinition(registry.runtime.clock.now())] : []),
      ],
      prepared: dependsOnGates(options) ? undefined : options.preparedObjects,
      first: options.firstObjects,
      made: () => observability.hooks.reach("objects are made"),
    });
  observability.hooks.reach("objects are up to date");
  return lease;
}
