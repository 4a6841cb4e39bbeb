import { readFileSync } from "node:fs";
import type { Pod } from "@coxswain/api/core/v1";
import { parseYaml } from "@coxswain/apimachinery/yaml";
import { type Flag, optionName } from "@coxswain/component/flags";
import type { ControllerSettings } from "@coxswain/controllers";

type Recycler = NonNullable<ControllerSettings["volumeRecycler"]>;

const seconds = (help: string) => ({ group: "Volumes", type: "integer", min: 0, value: "seconds", help }) as const;
const file = (help: string) => ({ group: "Volumes", type: "string", value: "file", help }) as const;

/** How volumes with the reclaim policy Recycle are emptied. Upstream's names, which are not all built alike. */
export const recyclerFlags = {
  "pv-recycler-minimum-timeout-hostpath": seconds("How long emptying a directory may take at least. Default: 60."),
  "pv-recycler-timeout-increment-hostpath": seconds("The same for each Gi of it. Default: 30."),
  "pv-recycler-pod-template-filepath-hostpath": file("A pod that empties directories, in place of the usual one."),
  "pv-recycler-minimum-timeout-nfs": seconds("How long emptying an NFS volume may take at least. Default: 300."),
  "pv-recycler-increment-timeout-nfs": seconds("The same for each Gi of it. Default: 30."),
  "pv-recycler-pod-template-filepath-nfs": file("A pod that empties NFS volumes, in place of the usual one."),
} as const satisfies Readonly<Record<string, Flag>>;

/** Undefined: no flag was given. Reads the files that are named. */
export function recyclerFrom(options: object): Recycler | undefined {
  const values = new Map<string, unknown>(Object.entries(options));
  const of = <T>(flag: keyof typeof recyclerFlags): T | undefined => values.get(optionName(flag)) as T | undefined;
  if (Object.keys(recyclerFlags).every((flag) => of(flag as keyof typeof recyclerFlags) === undefined))
    return undefined;
  const hostPathTemplate = of<string>("pv-recycler-pod-template-filepath-hostpath");
  const nfsTemplate = of<string>("pv-recycler-pod-template-filepath-nfs");
  return {
    hostPath: {
      minimum: of<number>("pv-recycler-minimum-timeout-hostpath") ?? 60,
      increment: of<number>("pv-recycler-timeout-increment-hostpath") ?? 30,
    },
    nfs: {
      minimum: of<number>("pv-recycler-minimum-timeout-nfs") ?? 300,
      increment: of<number>("pv-recycler-increment-timeout-nfs") ?? 30,
    },
    ...(hostPathTemplate !== undefined && { hostPathTemplate: readTemplate(hostPathTemplate) }),
    ...(nfsTemplate !== undefined && { nfsTemplate: readTemplate(nfsTemplate) }),
  };
}

function readTemplate(path: string): Pod {
  const pod = parseYaml(readFileSync(path, "utf8")).value as Pod;
  if (!pod?.spec?.volumes?.length) throw new Error(`pod specification (${path}): does not contain any volume(s)`);
  return pod;
}
