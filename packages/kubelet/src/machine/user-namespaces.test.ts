import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ProgramError } from "./programs.js";
import { parseSubordinateIds, readSubordinateIds } from "./subordinate-ids.js";
import { idsUnit, openUserNamespaces, type UserNamespaces } from "./user-namespaces.js";

let rootDir: string;
beforeEach(async () => (rootDir = await mkdtemp(join(tmpdir(), "coxswain-userns-"))));
afterEach(() => rm(rootDir, { recursive: true }));

const open = (pods = 2, firstId = idsUnit): Promise<UserNamespaces> =>
  openUserNamespaces({ rootDir, maxPods: pods, idsPerPod: idsUnit, ids: { firstId, length: pods * idsUnit } });
const fileOf = (uid: string): string => join(rootDir, "pods", uid, "userns");

describe("users of pods", () => {
  it("are others for each pod, the same for a pod, and written down in upstream's file", async () => {
    const spaces = await open();
    const range = await spaces.of("a");
    expect(range).toEqual({ firstId: idsUnit, length: idsUnit });
    expect(await spaces.of("b")).toEqual({ firstId: 2 * idsUnit, length: idsUnit });
    expect(await spaces.of("a")).toEqual(range);
    const mapping = { hostId: idsUnit, containerId: 0, length: idsUnit };
    expect(JSON.parse(await readFile(fileOf("a"), "utf8"))).toEqual({ uidMappings: [mapping], gidMappings: [mapping] });
  });

  it("stay the pod's for the next kubelet, until it is released", async () => {
    const [a, b] = await Promise.all(["a", "b"].map((uid) => open(3).then((spaces) => spaces.of(uid))));
    expect(a).toEqual(b); // two processes: the second would not know of the first
    await rm(join(rootDir, "pods/b"), { recursive: true });
    const next = await open(3);
    expect(await next.of("a")).toEqual(a);
    expect((await next.of("c")).firstId).toBe(2 * idsUnit);
    await next.release("a");
    expect(await readdir(join(rootDir, "pods/a"))).toEqual([]);
    expect((await next.of("d")).firstId).toBe(3 * idsUnit);
    expect((await next.of("e")).firstId).toBe(idsUnit);
  });

  it("run out", async () => {
    const spaces = await open(1);
    await spaces.of("a");
    await expect(spaces.of("b")).rejects.toThrow(
      "create user namespace: could not find an empty slot to allocate a user namespace",
    );
  });

  const mapping = { hostId: idsUnit, containerId: 0, length: idsUnit };
  const damaged = [
    { name: "no JSON", text: "{", message: /^invalid user namespace mappings file/ },
    { name: "two mappings", file: { uidMappings: [mapping, mapping] }, message: /no more than one mapping/ },
    { name: "no groups", file: { uidMappings: [mapping] }, message: /GID and UID mappings should be identical/ },
    { name: "other groups", gid: { hostId: 2 * idsUnit }, message: /GID and UID mapping should be identical/ },
    { name: "without root", both: { containerId: 1 }, message: /UID 0 must be mapped/ },
    { name: "another length", both: { length: 1 }, message: /wrong user namespace length 1/ },
    { name: "not a whole range", both: { hostId: 5 }, message: /wrong user namespace offset specified 5/ },
    { name: "users of the node", both: { hostId: 0 }, message: /id 0 is out of range/ },
  ];
  for (const { name, text, file, gid, both, message } of damaged)
    it(`a damaged file is refused: ${name}`, async () => {
      const [uids, gids] = [
        { ...mapping, ...both },
        { ...mapping, ...both, ...gid },
      ];
      await mkdir(join(rootDir, "pods/a"), { recursive: true });
      await writeFile(fileOf("a"), text ?? JSON.stringify(file ?? { uidMappings: [uids], gidMappings: [gids] }));
      await expect(open()).rejects.toThrow(message);
    });

  it("are never the node's own, and enough for all pods", async () => {
    await expect(open(2, 0)).rejects.toThrow("kubelet user assigned ID 0 must be greater or equal to 65536");
    const few = { rootDir, maxPods: 3, idsPerPod: idsUnit, ids: { firstId: idsUnit, length: idsUnit } };
    await expect(openUserNamespaces(few)).rejects.toThrow("not enough to support 3 pods");
  });
});

describe("IDs that are set apart for pods", () => {
  it("are all but the first ones where there is no user kubelet, or no program lists its IDs", async () => {
    const all = { firstId: idsUnit, length: 2 ** 32 - idsUnit };
    const missing = (): Promise<string> => Promise.reject(new ProgramError("not found", { isMissing: true }));
    await writeFile(join(rootDir, "passwd"), "kubelet:x:900:900::/:/bin/false\n");
    expect(await readSubordinateIds(idsUnit, missing, join(rootDir, "none"))).toEqual(all);
    expect(await readSubordinateIds(idsUnit, missing, join(rootDir, "passwd"))).toEqual(all);
    const answer = (): Promise<string> => Promise.resolve("0: kubelet 65536 7208960");
    expect(await readSubordinateIds(idsUnit, answer, join(rootDir, "passwd"))).toEqual({
      firstId: 65_536,
      length: 7_208_960,
    });
  });
  it("are on one line", () => expect(() => parseSubordinateIds("0: k 1 2\n1: k 3 4")).toThrow(/only one line/));
  it("are numbers", () => expect(() => parseSubordinateIds("0: kubelet a b")).toThrow(/invalid line/));
});
