import { builtInFeatureGates } from "@coxswain/api/feature-gates";
import { createFeatureGates } from "@coxswain/component/feature-gates";
import { type Runtime, systemRuntime } from "@coxswain/runtime";
import { systemClock } from "@coxswain/runtime/clock";
import { createMemoryStore } from "@coxswain/storage/memory";
import { objectKey } from "../../cache/object-key.js";
import { registryPrefix } from "../../cache/registry-prefix.js";
import { kindFinder } from "../../catalogue/kind-finder.js";
import { sameEverywhere } from "../../registry/own-objects/server-objects.js";
import { type PreparedObjects, sampleNow, sampleRandom } from "../../registry/own-writes/prepared-objects.js";
import { chooseServedKinds } from "../../registry/runtime-config/served-kinds.js";
import { type ApiServer, startApiServer } from "./api-server.js";

/** Lets a server make its objects in memory and takes those that are the same everywhere: once, when a command is built, instead of at each of its starts. */
export async function prepareObjects(): Promise<PreparedObjects> {
  const { stored, served } = chooseServedKinds({ gates: createFeatureGates(builtInFeatureGates) });
  const kindOf = kindFinder(stored);
  const wanted = new Set(
    sameEverywhere(sampleNow, served).map((object) =>
      objectKey(kindOf(object), object.metadata.namespace ?? "", object.metadata.name ?? ""),
    ),
  );
  return prepareWith(
    () => Promise.resolve(),
    (key) => wanted.has(key),
  );
}

/** Likewise what clients make on a server, by the keys of it that are wanted. */
export async function prepareWith(
  make: (server: ApiServer, runtime: Runtime) => Promise<void>,
  isWanted: (key: string) => boolean,
): Promise<PreparedObjects> {
  const store = createMemoryStore({ runtime: systemRuntime() });
  const runtime = systemRuntime({ clock: { ...systemClock, now: () => sampleNow }, random: sampleRandom });
  const server = await startApiServer({ store, runtime });
  try {
    await make(server, runtime);
  } finally {
    await server.stop();
  }
  const { records } = await store.range({ prefix: registryPrefix });
  const decoder = new TextDecoder();
  return Object.fromEntries(
    records.filter(({ key }) => isWanted(key)).map(({ key, value }) => [key, decoder.decode(value)]),
  );
}
