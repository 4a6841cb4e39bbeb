import { collectionPrefix, objectKey } from "../../../cache/object-key.js";
import { parseEntry } from "../../../cache/parse-entry.js";
import { type Controller, createController } from "../../../controllers/controller.js";
import type { ControllerContext } from "../../../controllers/controller-context.js";
import type { StoredAddress } from "./check-service.js";
import { addresses, ServiceRepair, type ServiceRepairOptions, services } from "./repair-services.js";

/** Everything is checked so often, as upstream does (pkg/registry/core/service/ipallocator/controller/repairip.go, RepairIPAddress); what changed, after a second. */
const everyMs = 3 * 60_000;
const soonMs = 1000;

const everything = "everything";

/**
 * Repairs what services hold: IPAddresses that are missing, left over or somebody else's, and node ports that are not recorded or held by
 * nobody. Services and what they hold are written together here, so this is for what others did: an administrator, or another server.
 *
 * Keys of the queue are the store's keys of services and addresses, and `everything` for all of them and the record of node ports.
 */
export function createRepairController(context: ControllerContext, options: ServiceRepairOptions): Controller {
  const repair = new ServiceRepair(context, options);
  const controller = createController(context, {
    name: "service-repair",
    failure: "what services hold was not repaired",
    watched: [
      {
        kind: services,
        changesOnly: true,
        delayMs: soonMs,
        keysOf: ({ key }, change) => (change === "DELETED" ? [] : [key]),
      },
      {
        kind: addresses,
        changesOnly: true,
        delayMs: soonMs,
        keysOf(entry, change) {
          if (change !== "DELETED") return [entry.key];
          const { namespace = "", name = "" } = (parseEntry(entry) as StoredAddress).spec?.parentRef ?? {};
          return [objectKey(services, namespace, name)];
        },
      },
    ],
    async reconcile(key) {
      if (key === everything) {
        await repair.ports();
        for (const kind of [services, addresses]) for (const each of repair.keysOf(kind)) controller.queue.add(each);
        return { requeueAfterMs: everyMs };
      }
      if (key.startsWith(collectionPrefix(services, ""))) return repair.service(key);
      const afterMs = await repair.address(key);
      return afterMs === undefined ? undefined : { requeueAfterMs: afterMs };
    },
  });
  controller.queue.add(everything);
  return controller;
}
