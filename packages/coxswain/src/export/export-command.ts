import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { stringifyYaml } from "@coxswain/apimachinery/yaml";
import type { Client } from "@coxswain/client";
import { defineFlags } from "@coxswain/component/flags";
import { groupOf, stageOf, stages } from "../check/plan-order.js";
import { defineHistoryCommand, type HistoryPlace } from "../history/history-call.js";
import { runHistoryCommand } from "../history/run-history-command.js";
import { isExportedResource, planExport } from "./plan-export.js";

export const exportCommand = defineHistoryCommand({
  name: "export",
  takes: "",
  description:
    "Prints the objects of a cluster as people wrote them: by field ownership, without status, defaults and what controllers set, " +
    "in an order that can be applied and that is the same the next time.",
  flags: defineFlags({
    "all-namespaces": {
      group: "Cluster",
      type: "boolean",
      short: "A",
      help: "All namespaces, and what is cluster-wide.",
    },
    secrets: { group: "Output", type: "boolean", help: "Secrets, too." },
    dir: {
      group: "Output",
      type: "string",
      value: "dir",
      help: "A file for each object in this directory, instead of one text.",
    },
  }),
  async run({ client, namespace, options, print }) {
    const where = options.allNamespaces ? undefined : namespace;
    const objects = await exportedObjects(client, { namespace: where, withSecrets: options.secrets });
    const { dir } = options;
    if (dir === undefined) {
      print(
        objects
          .map((object) => stringifyYaml(object))
          .join("---\n")
          .trimEnd(),
      );
      return 0;
    }
    for (const object of objects) {
      const { namespace: home = "cluster", name = "" } = object.metadata ?? {};
      const folder = join(dir, fileName(home));
      mkdirSync(folder, { recursive: true });
      const file = `${(object.kind ?? "").toLowerCase()}${groupSuffix(object)}-${name}.yaml`;
      writeFileSync(join(folder, fileName(file)), stringifyYaml(object));
    }
    print(`${objects.length} objects in ${dir}`);
    return 0;
  },
});

/** Pure: a name that any file system takes, another one for each text, and none that leads out of its directory. */
export const fileName = (text: string): string =>
  text.replaceAll(/[^\w.-]/gu, encodeURIComponent).replace(/^\.+$/, (dots) => dots.replaceAll(".", "%2E"));

const groupSuffix = ({ apiVersion = "" }: KubernetesObject): string =>
  apiVersion.includes("/") ? `.${apiVersion.split("/")[0]}` : "";

interface ExportScope {
  /** Undefined: all, and what is cluster-wide. */
  readonly namespace: string | undefined;
  readonly withSecrets: boolean;
}

export async function exportedObjects(
  client: Client,
  { namespace, withSecrets }: ExportScope,
): Promise<KubernetesObject[]> {
  const found: KubernetesObject[] = [];
  const { groups } = await client.server.surface();
  for (const { name: group, versions, preferredVersion } of groups) {
    const version = versions.find((each) => each.version === preferredVersion) ?? versions[0];
    for (const { resource, kind, verbs, namespaced } of version?.resources ?? []) {
      if (!isExportedResource(resource, verbs) || (resource === "secrets" && group === "" && !withSecrets)) continue;
      if (namespace !== undefined && !namespaced) continue;
      const ref = { group, version: version!.version, resource, kind };
      for await (const item of client.dynamic(ref, namespaced ? namespace : undefined).items({ limit: 500 })) {
        const apiVersion = group === "" ? version!.version : `${group}/${version!.version}`;
        const planned = planExport({ ...item, apiVersion, kind });
        if (planned) found.push(planned);
      }
    }
  }
  return found.sort(byPlace);
}

/** What others need first, then by kind, namespace and name. */
function byPlace(a: KubernetesObject, b: KubernetesObject): number {
  const placeOf = (object: KubernetesObject): string => {
    const { namespace = "", name = "" } = object.metadata ?? {};
    const manifest = { ...object, apiVersion: object.apiVersion ?? "", kind: object.kind ?? "" };
    return [stages.indexOf(stageOf(manifest)), object.kind, groupOf(manifest), namespace, name].join("\n");
  };
  const [first, second] = [placeOf(a), placeOf(b)];
  return first < second ? -1 : first > second ? 1 : 0;
}

export const runExport = (args: readonly string[], place?: HistoryPlace): Promise<number> =>
  runHistoryCommand(exportCommand, args, place);
