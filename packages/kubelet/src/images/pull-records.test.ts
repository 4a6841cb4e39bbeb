import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemRuntime } from "@coxswain/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ImageRecord } from "../runtime/container-runtime.js";
import type { PullCredential } from "./pull-credential.js";
import { openPullRecords, type PullRecords } from "./pull-records.js";
import { createVerificationPolicy } from "./verification-policy.js";

let rootDir: string;
beforeEach(async () => {
  rootDir = await mkdtemp(join(tmpdir(), "pulls-"));
});
afterEach(() => rm(rootDir, { recursive: true }));

const image: ImageRecord = {
  image: "r.example/app:1",
  id: "sha256:1",
  ref: "r.example/app@sha256:9",
  tags: ["r.example/app:1"],
  digests: [],
  sizeBytes: 1,
  user: {},
  pinned: false,
};
const secret = (name: string, password = "p"): PullCredential => ({
  auth: { username: "u", password },
  secret: { uid: `uid-${name}`, namespace: "default", name },
});
const account = (name: string): PullCredential => ({
  auth: { username: "u", password: name },
  serviceAccount: { uid: `uid-${name}`, namespace: "default", name },
});
const open = (policy?: string, allowlist: string[] = []): Promise<PullRecords> =>
  openPullRecords({
    rootDir,
    policy: createVerificationPolicy(policy, allowlist),
    runtime: systemRuntime(),
    images: async () => [image],
  });
const asks = (records: PullRecords, ...credentials: PullCredential[]): Promise<boolean> =>
  records.mustPull(image, async () => credentials);

describe("who may use an image that is on the node", () => {
  const cases: {
    name: string;
    policy?: string;
    pulledWith?: PullCredential | "nobody";
    shows: PullCredential[];
    asks: boolean;
  }[] = [
    { name: "one that was there before the kubelet is for all", shows: [], asks: false },
    { name: "AlwaysVerify: not even that", policy: "AlwaysVerify", shows: [], asks: true },
    { name: "one that was pulled without credentials is for all", pulledWith: "nobody", shows: [], asks: false },
    { name: "the same secret", pulledWith: secret("a"), shows: [secret("a")], asks: false },
    { name: "the same credentials in another secret", pulledWith: secret("a"), shows: [secret("b")], asks: false },
    { name: "the secret with another password", pulledWith: secret("a"), shows: [secret("a", "q")], asks: false },
    { name: "another secret", pulledWith: secret("a"), shows: [secret("b", "q")], asks: true },
    { name: "no credentials", pulledWith: secret("a"), shows: [], asks: true },
    { name: "NeverVerify: no credentials", policy: "NeverVerify", pulledWith: secret("a"), shows: [], asks: false },
    { name: "the same service account", pulledWith: account("a"), shows: [account("a")], asks: false },
    { name: "another service account", pulledWith: account("a"), shows: [account("b")], asks: true },
  ];
  for (const { name, policy, pulledWith, shows, asks: wanted } of cases)
    it(name, async () => {
      const records = await open(policy);
      if (pulledWith) {
        await records.begin(image.image);
        await records.pulled(image, pulledWith === "nobody" ? undefined : pulledWith);
      }
      expect(await asks(records, ...shows)).toBe(wanted);
      expect(await asks(await open(policy), ...shows)).toBe(wanted);
    });

  it("another name of the same image is asked about anew", async () => {
    const records = await open();
    await records.begin(image.image);
    await records.pulled(image, undefined);
    expect(await records.mustPull({ ...image, image: "other.example/app:1" }, async () => [])).toBe(true);
  });

  it("an image whose pull a killed kubelet began is for those who show credentials", async () => {
    await (await open()).begin(image.image);
    expect(await asks(await open(), secret("a"))).toBe(true);
    expect(await readdir(join(rootDir, "image_manager/pulling"))).toEqual([]);
  });

  it("a pull that failed leaves nothing, and images that are gone are forgotten", async () => {
    const records = await open();
    await records.begin("r.example/none");
    await records.failed("r.example/none");
    await records.begin(image.image);
    await records.pulled(image, secret("a"));
    await records.prune(new Set(), Number.MAX_SAFE_INTEGER);
    expect(await readdir(join(rootDir, "image_manager/pulling"))).toEqual([]);
    expect(await readdir(join(rootDir, "image_manager/pulled"))).toEqual([]);
  });

  it("a damaged record: the registry is asked", async () => {
    const records = await open();
    await records.begin(image.image);
    await records.pulled(image, undefined);
    const [name = ""] = await readdir(join(rootDir, "image_manager/pulled"));
    await writeFile(join(rootDir, "image_manager/pulled", name), "{");
    expect(await asks(records)).toBe(true);
  });
});

describe("images that need no credentials", () => {
  const list = ["r.example/team/*", "r.example/app"];
  const policy = createVerificationPolicy("NeverVerifyAllowlistedImages", list);
  for (const [name, asked] of [
    ["r.example/app:1", false],
    ["r.example/app@sha256:0", false],
    ["r.example/application", true],
    ["r.example/team/x:2", false],
    ["r.example:5000/app", true],
  ] as const)
    it(`${name} with ${list.join(" and ")}: ${asked ? "asked about" : "open"}`, () =>
      expect(policy(name, true)).toBe(asked));
  for (const [pattern, problem] of [
    ["*", "only patterns ending with '/*'"],
    ["/*", "at least registry hostname is required"],
    ["r.example/app:1", "neither tag nor digest"],
    [" r.example", "leading/trailing spaces"],
  ] as const)
    it(`${JSON.stringify(pattern)} is refused`, () =>
      expect(() => createVerificationPolicy("NeverVerifyAllowlistedImages", [pattern])).toThrow(problem));
});
