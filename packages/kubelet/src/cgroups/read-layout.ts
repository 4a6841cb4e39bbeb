import { readFile } from "node:fs/promises";
import { parseMountInfo } from "../machine/mount-table.js";
import { type CgroupLayout, planLayout } from "./cgroup-layout.js";

/** Where this machine has its control groups. @throws CgroupError */
export async function readCgroupLayout(): Promise<CgroupLayout> {
  const table = parseMountInfo(await readFile("/proc/self/mountinfo", "utf8"));
  const controllers = await readFile("/sys/fs/cgroup/cgroup.controllers", "utf8").catch(() => undefined);
  return planLayout(table, controllers);
}
