import { describe, expect, it } from "vitest";
import { simulatedImage } from "../simulated/simulated-image.js";
import { type ImageConfig, parseImagePolicy } from "./image-policy.js";
import { collectionOrder, type ImageUse, noteImages, planCollection, shortageText } from "./plan-collection.js";

const minutes = 60_000;
const now = 100 * minutes;
const use = (id: string, sizeBytes: number, ages: { used?: number; detected?: number } = {}): ImageUse => ({
  id,
  sizeBytes,
  lastUsed: ages.used === undefined ? 0 : now - ages.used * minutes,
  firstDetected: now - (ages.detected ?? 50) * minutes,
});

const plans: {
  name: string;
  config?: ImageConfig;
  free: number;
  unused: ImageUse[];
  removed: string[];
  freed?: number;
}[] = [
  { name: "nothing below the high threshold", free: 160, unused: [use("a", 100)], removed: [] },
  {
    name: "down to the low threshold",
    free: 100,
    unused: [use("a", 60), use("b", 60), use("c", 60)],
    removed: ["a", "b"],
  },
  { name: "at the high threshold, too", free: 150, unused: [use("a", 60)], removed: ["a"] },
  {
    name: "not those that are too young",
    free: 140,
    unused: [use("young", 60, { detected: 1 }), use("a", 60)],
    removed: ["a"],
  },
  { name: "what there is, where it is too little", free: 0, unused: [use("a", 60)], removed: ["a"], freed: 60 },
  {
    name: "those unused for too long, whatever the usage",
    config: { imageMaximumGCAge: "30m" },
    free: 900,
    unused: [use("old", 60, { used: 31 }), use("new", 60, { used: 30 })],
    removed: ["old"],
  },
  {
    name: "none for its age before the kubelet looked for that long",
    config: { imageMaximumGCAge: "100m" },
    free: 900,
    unused: [use("old", 60)],
    removed: [],
  },
];

describe("images that are removed", () => {
  for (const { name, config = {}, free, unused, removed, freed } of plans)
    it(name, () => {
      const disk = { capacityBytes: 1000, availableBytes: free };
      const plan = planCollection({ unused, policy: parseImagePolicy(config), disk, began: 0, now });
      expect(plan).toMatchObject({ kind: "remove", images: removed.map((id) => ({ id })) });
      expect(plan.kind === "remove" && plan.shortage?.freed).toBe(freed);
    });
  it("a disk without a size is reported", () =>
    expect(
      planCollection({
        unused: [],
        policy: parseImagePolicy({}),
        disk: { capacityBytes: 0, availableBytes: 0 },
        began: 0,
        now,
      }),
    ).toEqual({ kind: "invalidCapacity" }));
  it("too little is reported in upstream's words", () =>
    expect(shortageText({ freed: 60, usagePercent: 92 }, 3 * 2 ** 29)).toBe(
      "Insufficient free disk space on the node's image filesystem (92% of 1.5 GiB used). Failed to free sufficient space by deleting unused images (freed 60 bytes). Investigate disk usage, as it could be used by active images, logs, volumes, or other data.",
    ));
});

describe("the order of removal", () => {
  it("is by last use, then by age, without those in use", () =>
    expect(
      collectionOrder(
        [
          use("used", 1, { used: 0 }),
          use("recent", 1, { used: 5 }),
          use("younger", 1, { detected: 5 }),
          use("older", 1),
          use("busy", 1),
        ],
        new Set(["busy"]),
      ).map(({ id }) => id),
    ).toEqual(["older", "younger", "recent", "used"]));
  it("remembers when images were found and used, forgets those that are gone, and leaves pinned ones out", () => {
    const image = (name: string, pinned = false) => ({ ...simulatedImage(name), id: name, sizeBytes: 1, pinned });
    const first = noteImages(new Map(), {
      images: [image("a"), image("b"), image("pause", true)],
      inUse: new Set(["a"]),
      now: 1,
    });
    const second = noteImages(first, { images: [image("a"), image("c")], inUse: new Set(["c"]), now: 2 });
    expect([...second.values()]).toEqual([
      { id: "a", sizeBytes: 1, firstDetected: 1, lastUsed: 1 },
      { id: "c", sizeBytes: 1, firstDetected: 2, lastUsed: 2 },
    ]);
  });
});

const refused: { config: ImageConfig; message: string }[] = [
  {
    config: { imageGCHighThresholdPercent: 101 },
    message: "invalid HighThresholdPercent 101, must be in range [0-100]",
  },
  { config: { imageGCLowThresholdPercent: -1 }, message: "invalid LowThresholdPercent -1, must be in range [0-100]" },
  {
    config: { imageGCHighThresholdPercent: 50, imageGCLowThresholdPercent: 60 },
    message: "LowThresholdPercent 60 can not be higher than HighThresholdPercent 50",
  },
];
describe("a policy of images is refused", () => {
  for (const { config, message } of refused) it(message, () => expect(() => parseImagePolicy(config)).toThrow(message));
});
