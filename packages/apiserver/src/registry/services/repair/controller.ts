import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { AnyKind } from "@coxswain/kinds";
import { collectionPrefix, objectKey } from "../../../cache/object-key.js";
import type { Keeper, KeeperContext } from "../../../controllers/controller.js";
import type { ServiceAllocationOptions } from "../allocation.js";
import type { StoredAddress } from "./judge-service.js";
import { createMender } from "./mend-services.js";

/** Everything is checked so often, as upstream does; what changed, after a second. */
const everyMs = 3 * 60_000;
const soonMs = 1000;

const ports = "ports";

/**
 * Mends what services hold: IPAddresses that are missing, left over or somebody else's, and node ports that are not recorded or held by
 * nobody. Services and what they hold are written together here, so this is for what others did: an administrator, or another server.
 *
 * Keys of the queue are the store's keys of services and addresses, and `ports` for the record of node ports.
 */
export function keepRepaired(
  context: KeeperContext,
  options: Pick<ServiceAllocationOptions, "nodePorts"> & { readonly hostname: string },
): Keeper {
  const mender = createMender(context.objects, options);
  const { services, addresses } = mender;
  const loop = context.loop({
    name: "service-repair",
    failure: "what services hold was not repaired",
    async reconcile(key) {
      if (key === ports) {
        await mender.ports();
        return { requeueAfterMs: everyMs };
      }
      if (key.startsWith(collectionPrefix(services, ""))) return mender.service(key);
      const afterMs = await mender.address(key);
      return afterMs === undefined ? undefined : { requeueAfterMs: afterMs };
    },
  });
  const keyOf = (kind: AnyKind, { metadata }: KubernetesObject): string =>
    objectKey(kind, metadata.namespace ?? "", metadata.name ?? "");
  const watch = (kind: AnyKind, onDelete?: (object: KubernetesObject) => void): void => {
    const informer = context.informer(kind);
    if (!informer) return;
    const wake = (object: KubernetesObject): void => loop.queue.addAfter(keyOf(kind, object), soonMs);
    loop.handle(
      informer,
      {
        onAdd: (object, isInInitialList) => (isInInitialList ? loop.queue.add(keyOf(kind, object)) : wake(object)),
        onUpdate: (_, object) => wake(object),
        ...(onDelete && { onDelete }),
      },
      { resyncMs: everyMs },
    );
  };
  watch(services);
  watch(addresses, (address) => {
    const { namespace = "", name = "" } = (address as StoredAddress).spec?.parentRef ?? {};
    loop.queue.addAfter(objectKey(services, namespace, name), soonMs);
  });
  loop.queue.add(ports);
  return loop;
}
