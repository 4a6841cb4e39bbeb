import { systemRuntime } from "@coxswain/runtime";
import { createVirtualClock } from "@coxswain/runtime/clock";
import { silentLogger } from "@coxswain/runtime/log";
import { type Encryption, identityTransformer } from "@coxswain/storage/encryption";
import { describe, expect, it } from "vitest";
import { type LoadedEncryption, ReloadingEncryption } from "./reload-encryption.js";

/** A file whose text the test sets, and what has become of each configuration that was made from it. */
function fileSaying(initial: string) {
  const events: string[] = [];
  const counts = { reloaded: 0, failed: 0 };
  const file = { text: initial, sick: new Set<string>() };
  const make = (text: string): LoadedEncryption => {
    const encryption: Encryption = {
      transformerFor: () => identityTransformer,
      async check() {
        if (file.sick.has(text)) throw new Error(`${text} is not well`);
      },
      usesPlugins: true,
      problem: async () => (file.sick.has(text) ? `${text} is not well` : undefined),
      async close() {
        events.push(`closed ${text}`);
      },
    };
    return { encryption, text, resources: [{ group: "", resource: "secrets" }] };
  };
  const clock = createVirtualClock();
  const first = make(initial);
  const record = (message: string): void =>
    void events.push(message.startsWith("the encryption configuration was reloaded") ? "reloaded" : "not reloaded");
  const reloading = new ReloadingEncryption({
    first,
    async load(known) {
      if (file.text === "wrong") throw new Error("cannot be used");
      return file.text === known ? undefined : make(file.text);
    },
    runtime: systemRuntime({ clock, log: { ...silentLogger, info: record, warn: record } }),
    metrics: {
      read: () => {},
      reloaded: () => void counts.reloaded++,
      failed: () => void counts.failed++,
    },
  });
  return { file, events, counts, clock, first, reloading };
}

describe("an encryption that is reloaded", () => {
  it("is the file's, and the last one is closed when nobody can be using it any more", async () => {
    const { file, events, clock, first, reloading } = fileSaying("a");
    file.text = "b";
    await reloading.reload();
    expect(reloading.current).not.toBe(first.encryption);
    expect(events).toEqual(["reloaded"]);
    await clock.advance(10_000);
    expect(events).toEqual(["reloaded", "closed a"]);
    await reloading.close();
    expect(events).toEqual(["reloaded", "closed a", "closed b"]);
  });

  it("stays when the file has not changed", async () => {
    const { events, first, reloading } = fileSaying("a");
    await reloading.reload();
    expect(reloading.current).toBe(first.encryption);
    expect(events).toEqual([]);
  });

  it("stays when the file is wrong or a plugin is not well, and is tried again", async () => {
    const { file, events, counts, clock, first, reloading } = fileSaying("a");
    file.text = "wrong";
    await reloading.reload();
    expect(reloading.current).toBe(first.encryption);
    expect(counts).toEqual({ reloaded: 0, failed: 1 });
    expect(events).toEqual(["not reloaded"]);
    file.text = "b";
    file.sick.add("b");
    await clock.advance(1_000);
    expect(events).toEqual(["not reloaded", "closed b", "not reloaded"]);
    file.sick.clear();
    await clock.advance(2_000);
    expect(events).toEqual(["not reloaded", "closed b", "not reloaded", "reloaded"]);
    expect(counts).toEqual({ reloaded: 1, failed: 2 });
    await reloading.close();
    expect(events.slice(4).sort()).toEqual(["closed a", "closed b"]);
  });

  it("tries no more once it is closed", async () => {
    const { file, events, clock, reloading } = fileSaying("a");
    file.text = "wrong";
    await reloading.reload();
    await reloading.close();
    file.text = "b";
    await clock.advance(600_000);
    expect(events).toEqual(["not reloaded", "closed a"]);
  });
});
