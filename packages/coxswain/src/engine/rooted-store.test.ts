import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore, type KeyEvent } from "@coxswain/storage";
import { describe, expect, it } from "vitest";
import { rootedStore } from "./rooted-store.js";

const value = new TextEncoder().encode("{}");

describe("a store seen from a root", () => {
  it("keeps keys below its root, and shows them as if they were below another", async () => {
    const whole = createMemoryStore({ runtime: systemRuntime() });
    const part = rootedStore(whole, { root: "/team-a/", seenAs: "/registry/" });
    const events: KeyEvent[] = [];
    const stop = new AbortController();
    const watching = part.watch({ prefix: "/registry/", from: 1 }, (batch) => events.push(...batch), stop.signal);
    await whole.put({ key: "/other/a", value, expected: 0 });
    await part.put({ key: "/registry/pods/a", value, expected: 0 });
    await part.transaction([{ op: "put", key: "/registry/pods/b", value, expected: 0 }]);

    expect((await whole.range({ prefix: "" })).records.map(({ key }) => key)).toEqual([
      "/other/a",
      "/team-a/pods/a",
      "/team-a/pods/b",
    ]);
    expect((await part.range({ prefix: "" })).records.map(({ key }) => key)).toEqual([
      "/registry/pods/a",
      "/registry/pods/b",
    ]);
    expect(
      (await part.range({ prefix: "/registry/pods/", start: "/registry/pods/b" })).records.map(({ key }) => key),
    ).toEqual(["/registry/pods/b"]);
    expect((await part.get("/registry/pods/a"))?.key).toBe("/registry/pods/a");
    expect((await part.history("/registry/pods/a")).length).toBe(1);
    expect(await part.put({ key: "/registry/pods/a", value, expected: 0 })).toMatchObject({
      kind: "conflict",
      current: { key: "/registry/pods/a" },
    });
    expect(await part.transaction([{ op: "check", key: "/registry/pods/a", expected: 0 }])).toMatchObject({
      kind: "conflict",
      index: 0,
      current: { key: "/registry/pods/a" },
    });
    const pods = { op: "check range", key: "/registry/pods/", expected: 1 } as const;
    for (const end of [undefined, Buffer.from("/registry/pods0")])
      expect(await part.transaction([{ ...pods, end }])).toMatchObject({ current: { key: "/registry/pods/a" } });
    const services = { op: "check range", key: "/registry/services/", end: undefined, expected: 1 } as const;
    expect(await part.transaction([services])).toMatchObject({ kind: "written" });
    const { revision } = (await part.get("/registry/pods/a"))!;
    expect(await part.delete({ key: "/registry/pods/a", expected: revision })).toMatchObject({
      kind: "deleted",
      previous: { key: "/registry/pods/a" },
    });
    await expect(part.get("/other/a")).rejects.toThrow("is outside of /registry/");

    stop.abort();
    await watching;
    expect(events.map(({ type, key, previous }) => [type, key, previous?.key])).toEqual([
      ["put", "/registry/pods/a", undefined],
      ["put", "/registry/pods/b", undefined],
      ["delete", "/registry/pods/a", "/registry/pods/a"],
    ]);
    await part.close();
  });
});
