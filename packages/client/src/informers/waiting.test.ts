import { forbidden, internalError } from "@coxswain/apimachinery/status";
import { testRuntime } from "@coxswain/runtime";
import { describe, expect, it } from "vitest";
import { createFakeServer, type FakeServerOptions, type Thing } from "./fake-server.test.support.js";
import { retryWatch } from "./retry-watcher.js";
import { waitUntil } from "./wait-until.js";

function setUp(server: Partial<FakeServerOptions> = {}) {
  const runtime = testRuntime(1);
  const { clock } = runtime;
  const fake = createFakeServer({ clock, ...server });
  const ending = new AbortController();
  const base = { listerWatcher: fake.listerWatcher, runtime, signal: ending.signal };
  return { clock, fake, ending, base };
}

describe("a retried watch", () => {
  async function read(base: ReturnType<typeof setUp>["base"], resourceVersion: string, into: string[]): Promise<void> {
    for await (const event of retryWatch<Thing>({ ...base, resourceVersion }))
      into.push(event.type === "ERROR" ? String(event.error) : `${event.type} ${event.object.metadata.name}`);
    into.push("end");
  }

  it("goes on where it broke off", async () => {
    const { clock, fake, ending, base } = setUp();
    const seen: string[] = [];
    const reading = read(base, String(fake.revision), seen);
    fake.put("a", 1);
    await clock.settle();
    fake.watches[0]?.cut(new Error("socket hang up"));
    fake.put("b", 1);
    await clock.advance(1000);
    fake.watches[0]?.send([{ type: "ERROR", error: internalError("no") }]);
    fake.remove("a");
    await clock.advance(1000);
    expect(seen).toEqual(["ADDED a", "ADDED b", "DELETED a"]);
    ending.abort();
    await reading;
    expect(seen.at(-1)).toBe("end");
  });

  it("ends with the error when its version expired", async () => {
    const { clock, fake, base } = setUp();
    fake.put("a", 1);
    fake.put("b", 1);
    fake.compact();
    const seen: string[] = [];
    const reading = read(base, "101", seen);
    await clock.settle();
    await reading;
    expect(seen).toEqual(["StatusError: too old resource version", "end"]);
  });

  it("ends when it may not watch", async () => {
    const { clock, base } = setUp({
      faults: {
        beforeWatch() {
          throw forbidden({ group: "", resource: "things" }, "", "no");
        },
      },
    });
    const seen: string[] = [];
    const reading = read(base, "101", seen);
    await clock.settle();
    await reading;
    expect(seen.at(-1)).toBe("end");
    expect(seen).toHaveLength(2);
  });

  it("refuses to begin where objects are replayed", async () => {
    await expect(retryWatch<Thing>({ ...setUp().base, resourceVersion: "0" }).next()).rejects.toThrow("list first");
  });
});

describe("waiting for a condition", () => {
  it("resolves to the event that meets it, through a disconnection", async () => {
    const { clock, fake, base } = setUp();
    const waiting = waitUntil<Thing>({ ...base, condition: ({ object }) => object.value === 3 });
    await clock.settle();
    fake.watches[0]?.cut(new Error("socket hang up"));
    fake.put("a", 3);
    await clock.advance(5000);
    expect(await waiting).toMatchObject({ type: "ADDED", object: { value: 3 } });
    await clock.settle();
    expect(fake.watches).toEqual([]);
  });

  it("a precondition on the content ends it without an event", async () => {
    const { clock, base } = setUp();
    const waiting = waitUntil<Thing>({
      ...base,
      precondition: (content) => content.getByKey("default/a") === undefined,
      condition: ({ type }) => type === "DELETED",
    });
    await clock.settle();
    expect(await waiting).toBeUndefined();
  });

  it("rejects when time is up, when it is aborted, and with what the condition throws", async () => {
    const { clock, fake, base, ending } = setUp();
    const late = waitUntil<Thing>({ ...base, timeoutMs: 500, condition: () => false }).catch(String);
    await clock.advance(500);
    expect(await late).toContain("waiting for a condition: nothing came within 0.5 s");
    const aborted = waitUntil<Thing>({ ...base, condition: () => false }).catch(String);
    ending.abort(new Error("enough"));
    expect(await aborted).toContain("enough");
    fake.put("a", 1);
    const { listerWatcher } = fake;
    const condition = (): boolean => {
      throw new Error("broken");
    };
    const thrown = waitUntil<Thing>({ ...setUp().base, listerWatcher, condition }).catch(String);
    await clock.settle();
    expect(await thrown).toContain("broken");
  });
});
