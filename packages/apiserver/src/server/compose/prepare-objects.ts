import { builtInFeatureGates } from "@coxswain/api/feature-gates";
import { createFeatureGates } from "@coxswain/component/feature-gates";
import { systemRuntime } from "@coxswain/runtime";
import { systemClock } from "@coxswain/runtime/clock";
import { createMemoryStore } from "@coxswain/storage/memory";
import { objectKey } from "../../cache/object-key.js";
import { registryPrefix } from "../../cache/registry-prefix.js";
import { kindFinder } from "../../catalogue/kind-finder.js";
import { sameEverywhere } from "../../registry/own-objects/server-objects.js";
import { type PreparedObjects, sampleNow, sampleRandom } from "../../registry/own-writes/prepared-objects.js";
import { chooseServedKinds } from "../../registry/runtime-config/served-kinds.js";
import { startApiServer } from "./api-server.js";

/** Lets a server make its objects in memory and takes those that are the same everywhere: once, when a command is built, instead of at each of its starts. */
export async function prepareObjects(): Promise<PreparedObjects> {
  const store = createMemoryStore({ runtime: systemRuntime() });
  const server = await startApiServer({
    store,
    runtime: systemRuntime({ clock: { ...systemClock, now: () => sampleNow }, random: sampleRandom }),
  });
  const { records } = await store.range({ prefix: registryPrefix });
  await server.stop();
  const { stored, served } = chooseServedKinds({ gates: createFeatureGates(builtInFeatureGates) });
  const kindOf = kindFinder(stored);
  const wanted = new Set(
    sameEverywhere(sampleNow, served).map((object) =>
      objectKey(kindOf(object), object.metadata.namespace ?? "", object.metadata.name ?? ""),
    ),
  );
  const decoder = new TextDecoder();
  return Object.fromEntries(
    records.filter(({ key }) => wanted.has(key)).map(({ key, value }) => [key, decoder.decode(value)]),
  );
}
