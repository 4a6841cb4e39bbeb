import type { KubernetesObject, OwnerReference } from "@coxswain/apimachinery/meta";
import { changedPaths, pathText } from "@coxswain/apimachinery/object";
import { hasReason, isNotFound } from "@coxswain/apimachinery/status";
import { stringifyYaml } from "@coxswain/apimachinery/yaml";
import type { Client, ResourceClient } from "@coxswain/client";
import { defineFlags, FlagError } from "@coxswain/component/flags";
import { defineHistoryCommand } from "./history-call.js";
import { namedObject } from "./object-argument.js";
import { lostOwners, planRestore } from "./plan-restore.js";
import { parsePointInTime, revisionOf } from "./point-in-time.js";

const manager = "coxswain-history";

export const restoreCommand = defineHistoryCommand({
  name: "history restore",
  takes: "KIND/NAME --to MOMENT",
  description:
    "Makes an object again as it was: one that is gone is created with a new uid, one that is there is changed back. " +
    "Owner references that no longer hold and the status are left out.",
  flags: defineFlags({
    to: {
      group: "Moments",
      type: "string",
      value: "moment",
      help: "When it was as it shall be: a revision such as r99, or a time.",
    },
    "dry-run": { group: "Output", type: "boolean", help: "Show what would change, and change nothing." },
  }),
  async run({ client, namespace, options, words, print, now }) {
    if (options.to === undefined) throw new FlagError("--to names the moment: a revision such as r99, or a time");
    const object = await namedObject({ client, namespace }, words);
    const revision = await revisionOf(client, parsePointInTime(options.to, now()));
    const resource = client.dynamic({ ...object.resource, kind: object.gvk.kind }, object.namespace || undefined);
    const past = await objectAt(resource, object.name, revision);
    const shown = `${object.resource.resource}/${object.name}`;
    if (!past) throw new FlagError(`there was no ${shown} at r${revision}`);
    const present = await orUndefined(resource.get(object.name));
    const owners = await livingOwners(client, past, object.namespace);
    const goneVolume = present ? undefined : await goneVolumeOf(client, past);
    const wanted = planRestore({ past, present, owners, isVolumeGone: goneVolume !== undefined });
    const write = { fieldManager: manager, dryRun: options.dryRun };
    const written = await (present ? resource.update(wanted, write) : resource.create(wanted, write));
    const suffix = options.dryRun ? " (dry run)" : "";
    for (const { kind, name } of lostOwners(past, owners)) print(`left out: owner ${kind} ${name}, which is gone`);
    if (goneVolume !== undefined) print(`left out: volume ${goneVolume}, which is gone with its data`);
    if (!present) {
      if (options.dryRun) for (const line of stringifyYaml(wanted).trimEnd().split("\n")) print(`+ ${line}`);
      print(`${shown} created as it was at r${revision}${suffix}`);
      return 0;
    }
    const paths = changedPaths(present, written).filter(({ path }) => !/^(status\b|metadata\.generation$)/.test(path));
    for (const path of paths) print(`    ${pathText(path)}`);
    print(
      paths.length === 0 ? `${shown} is as it was at r${revision}` : `${shown} changed back to r${revision}${suffix}`,
    );
    return 0;
  },
});

/** One object at a revision, as a list has it: Kubernetes has no GET of the past. */
async function objectAt(
  resource: ResourceClient<KubernetesObject>,
  name: string,
  revision: number,
): Promise<KubernetesObject | undefined> {
  try {
    const page = await resource.list({
      fieldSelector: `metadata.name=${name}`,
      resourceVersion: String(revision),
      resourceVersionMatch: "Exact",
    });
    return page.items[0];
  } catch (error) {
    if (!hasReason(error, "Expired")) throw error;
    throw new FlagError(
      `the history of ${resource.resource.resource} does not reach back to r${revision}, or its values are not kept`,
    );
  }
}

async function livingOwners(
  client: Client,
  { metadata }: KubernetesObject,
  namespace: string,
): Promise<OwnerReference[]> {
  const living: OwnerReference[] = [];
  for (const owner of metadata?.ownerReferences ?? []) {
    const about = { ...owner, metadata: { name: owner.name, namespace } } as unknown as KubernetesObject;
    const found = await orUndefined(client.resourceOf(about).then((resource) => resource.get(owner.name)));
    if (found?.metadata?.uid === owner.uid) living.push(owner);
  }
  return living;
}

/** The volume that a claim had, where that does not exist any more. */
async function goneVolumeOf(client: Client, { kind, spec }: KubernetesObject & { readonly spec?: unknown }) {
  const { volumeName = "" } = (spec ?? {}) as { readonly volumeName?: string };
  if (kind !== "PersistentVolumeClaim" || volumeName === "") return undefined;
  return (await orUndefined(client.core.v1.persistentvolumes().get(volumeName))) ? undefined : volumeName;
}

async function orUndefined<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
