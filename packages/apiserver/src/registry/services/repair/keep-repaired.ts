import type { Timer } from "@coxswain/apimachinery/clock";
import type { Logger } from "@coxswain/component/log";
import type { AnyKind } from "@coxswain/kinds";
import { bytesOf } from "../../../cache/cache-entry.js";
import type { Delivery } from "../../../cache/cache-event.js";
import { parseStored } from "../../../cache/encoded-object.js";
import type { ObjectDeps } from "../../../objects/object-deps.js";
import { objectKey } from "../../../cache/object-key.js";
import { everything } from "../../act-on-changes.js";
import type { ServiceAllocationOptions } from "../companions.js";
import type { StoredAddress } from "./judge-service.js";
import { createMender } from "./mend-services.js";

/** Everything is looked at so often, as upstream does; what changed, after a second. */
const everyMs = 3 * 60_000;
const soonMs = 1000;

/**
 * Mends what services hold: IPAddresses that are missing, left over or somebody else's, and node ports that are not recorded or held by
 * nobody. Services and what they hold are written together here, so this is for what others did: an administrator, or another server.
 */
export function keepRepaired(
  deps: ObjectDeps,
  options: Pick<ServiceAllocationOptions, "nodePorts"> & { readonly hostname: string },
  log: Logger,
): { stop(): Promise<void> } {
  const mender = createMender(deps, options);
  const { services, addresses } = mender;
  /** Keys of objects to look at. */
  const changed = { services: new Set<string>(), addresses: new Set<string>() };
  let stopped = false;
  let running: Promise<void> | undefined;
  let soon: Timer | undefined;
  let round: Timer | undefined;
  /** Of addresses that are looked at again. */
  const later = new Set<Timer>();

  const drain = (keys: Set<string>, mend: (key: string) => Promise<void>): Promise<void> =>
    mender.each(
      keys,
      (key) => {
        keys.delete(key);
        return mend(key);
      },
      () => stopped,
    );

  /** Services first: what they miss is then there. */
  async function mend(): Promise<void> {
    await drain(changed.services, (key) => mender.service(key));
    await drain(changed.addresses, async (key) => {
      const afterMs = await mender.address(key);
      if (afterMs !== undefined) lookAfter(afterMs, key);
    });
  }

  async function mendAll(): Promise<void> {
    for (const key of mender.keysOf(services)) changed.services.add(key);
    for (const key of mender.keysOf(addresses)) changed.addresses.add(key);
    await mend();
    if (!stopped) await mender.ports();
  }

  function lookAfter(ms: number, key: string): void {
    const timer: Timer = deps.clock.setTimer(ms, () => {
      later.delete(timer);
      changed.addresses.add(key);
      wake();
    });
    later.add(timer);
  }

  /** One after the other; what fails is looked at again with everything else. */
  function run(work: () => Promise<void>): Promise<void> {
    return (running = (running ?? Promise.resolve())
      .then(() => (stopped ? undefined : work()))
      .catch((error: unknown) => {
        if (!stopped) log.warn("what services hold was not repaired", { error });
      }));
  }

  function wake(): void {
    soon ??= deps.clock.setTimer(soonMs, () => {
      soon = undefined;
      void run(mend);
    });
  }

  function sweep(): void {
    void run(mendAll).then(() => {
      if (!stopped) round = deps.clock.setTimer(everyMs, sweep);
    });
  }

  function note(kind: AnyKind, { type, entry }: Delivery): void {
    if (kind === services) {
      if (type !== "DELETED") changed.services.add(entry.key);
    } else if (type !== "DELETED") {
      changed.addresses.add(entry.key);
    } else {
      const { namespace = "", name = "" } = (parseStored(bytesOf(entry)) as StoredAddress).spec?.parentRef ?? {};
      changed.services.add(objectKey(services, namespace, name));
    }
  }

  const watchers = [services, addresses].map((kind) =>
    deps.feed.cacheOf(kind).watch(
      everything,
      { now: true, mark: false },
      {
        deliver(events) {
          for (const event of events) note(kind, event);
          wake();
          return undefined;
        },
        bookmark: () => {},
        end: () => {},
      },
    ),
  );
  sweep();
  return {
    async stop() {
      stopped = true;
      for (const timer of [soon, round, ...later]) timer?.cancel();
      for (const watcher of watchers) watcher?.stop();
      await running;
    },
  };
}
