// A Deployment for each Site, as most operators have something for each object of theirs.
import type { ObjectMeta } from "@coxswain/api/meta/v1";
import { apply, builtIn, defineResource, type Manager, patchStatus, setControllerReference } from "@coxswain/operator";

const { deployments } = builtIn.apps.v1;

export interface Site {
  metadata?: ObjectMeta;
  spec: { size: number };
  status?: { observedGeneration?: number; size?: number };
}

export const Sites = defineResource<Site>({
  group: "example.com",
  version: "v1",
  kind: "Site",
  resource: "sites",
  scope: "Namespaced",
});

const integers = (...names: string[]) => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, { type: "integer" }])),
});
export const siteDefinition = {
  metadata: { name: "sites.example.com" },
  spec: {
    group: "example.com",
    names: { kind: "Site", plural: "sites" },
    scope: "Namespaced",
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: { spec: integers("size"), status: integers("observedGeneration", "size") },
          },
        },
      },
    ],
  },
};

/** Pure: the Deployment that a Site asks for. */
function deploymentOf(namespace: string, name: string, replicas: number) {
  const labels = { "example.com/site": name };
  const template = { metadata: { labels }, spec: { containers: [{ name: "web", image: "web:1" }] } };
  return { metadata: { namespace, name, labels }, spec: { replicas, selector: { matchLabels: labels }, template } };
}

/** `plain`: with a server-side apply that compares nothing, to see that a storm finds what it does. */
export function addSites(manager: Manager, { plain = false } = {}): void {
  manager
    .controller("site")
    .for(Sites)
    .owns(deployments)
    .options({ warmUp: true }) // a replica that waits for the Lease has caches, which may be late when it gets it
    .reconcile(async ({ namespace, name }, context) => {
      const site = await context.get(Sites, { namespace, name });
      if (site === undefined) return;
      const wanted = deploymentOf(namespace, name, site.spec.size);
      const owner = { resource: Sites, object: site };
      const options = { fieldManager: context.fieldManager, force: true };
      const made = plain
        ? await context.resource(deployments, namespace).apply(setControllerReference(wanted, owner), options)
        : await apply(context, deployments, wanted, { owner });
      const status = { observedGeneration: site.metadata?.generation ?? 0, size: made.spec?.replicas ?? 0 };
      await patchStatus(context, Sites, site, status);
    });
}
