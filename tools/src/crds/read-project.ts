import { join } from "node:path";
import type { JsonObject } from "../record/index.js";
import { moduleFolder } from "../upstream/index.js";
import type { ProjectContents, Sample } from "./play-project.js";
import type { Project } from "./projects.js";
import { type Manifest, readManifests } from "./read-manifests.js";

/** How many objects of one kind are made, at most. */
const mostSamples = 40;

interface Served {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

/** What the module of a project holds, fetched by Go's own client into Go's cache. */
export async function readProject({ name, module, definitions: paths, samples }: Project): Promise<ProjectContents> {
  const folder = await moduleFolder(module);
  const definitions = paths
    .flatMap((path) => readManifests(join(folder, path)))
    .map(({ object }) => object)
    .filter(({ kind, apiVersion }) => kind === "CustomResourceDefinition" && apiVersion === "apiextensions.k8s.io/v1");
  const namespace = `crds-${name.toLowerCase().replaceAll(" ", "-")}`;
  const served = new Map(definitions.flatMap(servedOf).map((one) => [`${one.apiVersion} ${one.kind}`, one]));
  const groups = [...new Set([...served.values()].map(({ apiVersion }) => apiVersion.split("/")[0] as string))];
  const mayHold = (text: string): boolean => groups.some((group) => text.includes(group));
  const found = (samples ?? [""]).flatMap((path) => readManifests(join(folder, path), mayHold));
  return { namespace, definitions, samples: chooseSamples(found, { folder, namespace, served }) };
}

function servedOf(definition: JsonObject): Served[] {
  const spec = definition["spec"] as JsonObject;
  const names = spec["names"] as JsonObject;
  return (spec["versions"] as JsonObject[])
    .filter(({ served }) => served === true)
    .map(({ name }) => ({
      apiVersion: `${String(spec["group"])}/${String(name)}`,
      kind: String(names["kind"]),
      plural: String(names["plural"]),
      namespaced: spec["scope"] === "Namespaced",
    }));
}

interface Choice {
  readonly folder: string;
  readonly namespace: string;
  readonly served: ReadonlyMap<string, Served>;
}

/** Objects of the project's own kinds, each once, in a namespace of its own. */
function chooseSamples(found: readonly Manifest[], { folder, namespace, served }: Choice): Sample[] {
  const seen = new Set<string>();
  const counts = new Map<string, number>();
  return found.flatMap(({ file, object }) => {
    const kind = served.get(`${String(object["apiVersion"])} ${String(object["kind"])}`);
    const metadata = (object["metadata"] ?? {}) as JsonObject;
    const text = shown(object);
    const key = kind ? `${kind.apiVersion} ${kind.kind}` : "";
    const count = counts.get(key) ?? 0;
    if (!kind || seen.has(text) || count >= mostSamples) return [];
    seen.add(text);
    counts.set(key, count + 1);
    const name = typeof metadata["name"] === "string" ? metadata["name"] : `sample-${count}`;
    const { namespace: _, ...rest } = metadata;
    return [
      {
        file,
        name: encodeURIComponent(name),
        sentence: `${kind.kind} ${count} (${file.slice(folder.length + 1)})`,
        collection: `/apis/${kind.apiVersion}/${kind.namespaced ? `namespaces/${namespace}/` : ""}${kind.plural}`,
        object: { ...object, metadata: { ...rest, name, ...(kind.namespaced && { namespace }) } },
      },
    ];
  });
}

const shown = (object: JsonObject): string =>
  JSON.stringify(object, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value));
