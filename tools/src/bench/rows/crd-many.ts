import { projects, readProject } from "../../crds/index.js";
import type { JsonObject } from "../../record/index.js";
import { connectApi, inParallel } from "../clusters/api.js";
import { definitionsPath } from "../custom-resources.js";
import type { Row } from "./row.js";

const count = 500;
const time = `${count} CustomResourceDefinitions of other projects until all are served`;
const memory = `resident memory with ${count} CustomResourceDefinitions`;

/** Those of `npm run tool -- crds`, and again in other groups until there are enough. */
async function realDefinitions(): Promise<JsonObject[]> {
  const all = (await Promise.all(projects.map(readProject))).flatMap(({ definitions }) => definitions);
  const named = new Map(all.map((one) => [(one["metadata"] as JsonObject)["name"], one]));
  const known = [...named.values()].map(withoutWebhook);
  return Array.from({ length: count }, (_, at) =>
    inGroup(known[at % known.length] as JsonObject, Math.floor(at / known.length)),
  );
}

/** Nobody serves their webhooks here. */
function withoutWebhook(definition: JsonObject): JsonObject {
  const { conversion: _, ...spec } = definition["spec"] as JsonObject;
  return { ...definition, spec };
}

function inGroup(definition: JsonObject, copy: number): JsonObject {
  if (copy === 0) return definition;
  const spec = definition["spec"] as JsonObject & { names: { plural: string } };
  const group = `copy${copy}.${String(spec["group"])}`;
  const { name: _, ...metadata } = definition["metadata"] as JsonObject;
  return { ...definition, metadata: { ...metadata, name: `${spec.names.plural}.${group}` }, spec: { ...spec, group } };
}

export const crdMany: Row = {
  name: "crd-many",
  topic: "custom-resources",
  figures: [
    { what: time, unit: "ms", better: "less", budget: 1 / 4 },
    { what: memory, unit: "MB", better: "less", budget: 1 / 4 },
  ],
  async measure(contestant) {
    const definitions = await realDefinitions();
    const server = await contestant.startAnother();
    const api = connectApi(server.access, contestant.signal);
    try {
      const began = performance.now();
      await inParallel(definitions.length, 2, (at) => api.create(definitionsPath, definitions[at] as JsonObject));
      await inParallel(definitions.length, 8, async (at) => {
        const spec = (definitions[at] as JsonObject)["spec"] as JsonObject & {
          names: { plural: string };
          versions: { name: string; served: boolean }[];
        };
        const version = spec.versions.find(({ served }) => served);
        if (version) await api.until(`/apis/${String(spec["group"])}/${version.name}/${spec.names.plural}`, () => true);
      });
      const ms = performance.now() - began;
      return new Map([
        [time, ms],
        [memory, (await server.residentBytes()) / 1e6],
      ]);
    } finally {
      api.close();
      await server.stop();
    }
  },
};
