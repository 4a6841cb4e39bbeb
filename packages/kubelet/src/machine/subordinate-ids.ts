import { readFile } from "node:fs/promises";
import type { IdRange } from "../runtime/container-runtime.js";
import type { ProgramError, RunProgram } from "./programs.js";

const user = "kubelet";

/**
 * Users of the node that pods may have: those that are set apart for the user `kubelet` (/etc/subuid, or what getsubids asks), where there is
 * that user; else all but the first `idsPerPod`. Upstream's `pkg/kubelet/kubelet_pods.go`, `getKubeletMappings`. @throws Error
 */
export async function readSubordinateIds(idsPerPod: number, run: RunProgram, passwd = "/etc/passwd"): Promise<IdRange> {
  const all = { firstId: idsPerPod, length: 2 ** 32 - idsPerPod };
  const users = await readFile(passwd, "utf8").catch(() => "");
  if (!users.split("\n").some((line) => line.startsWith(`${user}:`))) return all;
  const uids = await run("getsubids", [user]).catch((error: ProgramError) => {
    if (error.isMissing) return undefined;
    throw new Error(`error retrieving additional uids for user "${user}": ${error.message}`, { cause: error });
  });
  if (uids === undefined) return all;
  const gids = await run("getsubids", ["-g", user]);
  if (uids !== gids) throw new Error(`mismatched subuids and subgids for user "${user}"`);
  return parseSubordinateIds(uids);
}

/** Pure: `0: kubelet 65536 7208960`. @throws Error */
export function parseSubordinateIds(text: string): IdRange {
  const lines = text.trim().split("\n");
  if (lines.length !== 1) throw new Error(`error parsing line ${JSON.stringify(text)}: it must contain only one line`);
  const parts = text.trim().split(/\s+/);
  if (parts.length !== 4 || !parts.slice(2).every((part) => /^\d{1,10}$/.test(part)))
    throw new Error(`invalid line ${JSON.stringify(text)}`);
  return { firstId: Number(parts[2]), length: Number(parts[3]) };
}
