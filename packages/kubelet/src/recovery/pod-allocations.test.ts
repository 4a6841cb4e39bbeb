import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openPodAllocations } from "./pod-allocations.js";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "allocations-"));
});
afterEach(() => rm(directory, { recursive: true }));

const file = (): string => join(directory, "allocated_pods_state");
const resources = { requests: { cpu: "1Ki", memory: "1Ki" } };
/** As upstream's test of its state has it, with its checksum. */
const published = `{"data":"{\\"entries\\":{\\"pod1\\":{\\"ContainerResources\\":{\\"container1\\":{\\"requests\\":{\\"cpu\\":\\"1Ki\\",\\"memory\\":\\"1Ki\\"}}}}}}","checksum":1178570812}`;

describe("what pods were given, on the disk", () => {
  it("a file of upstream's kubelet is read", async () => {
    await writeFile(file(), published);
    const allocations = await openPodAllocations(directory);
    expect(allocations.allocated("pod1")).toEqual(new Map([["container1", resources]]));
    expect(allocations.actuated("pod1")).toBeUndefined();
  });

  it("the next kubelet finds what was written, and not what was forgotten", async () => {
    const first = await openPodAllocations(directory);
    await Promise.all(["a", "b", "c"].map((uid) => first.allocate(uid, new Map([["main", resources]]))));
    await first.actuate("a", new Map([["main", {}]]));
    await first.forget("b");
    const next = await openPodAllocations(directory);
    expect(next.allocated("a")).toEqual(new Map([["main", resources]]));
    expect(next.actuated("a")).toEqual(new Map([["main", {}]]));
    expect(next.podUids()).toEqual(["a", "c"]);
  });

  it("a damaged file ends the start in upstream's words", async () => {
    await writeFile(file(), published.replace("1Ki", "2Ki"));
    await expect(openPodAllocations(directory)).rejects.toThrow(
      `please drain this node and delete pod resource information checkpoint file "${file()}" before restarting Kubelet`,
    );
    expect(await readFile(file(), "utf8")).toContain("2Ki");
  });
});
