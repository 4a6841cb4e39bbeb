import { createVirtualClock } from "@coxswain/runtime/clock";
import { expect, it } from "vitest";
import { createSharedDiscovery } from "./shared-discovery.js";

function setting() {
  const clock = createVirtualClock({ startMs: 0 });
  const requests: ((answer: string) => void)[] = [];
  const fails: (() => void)[] = [];
  const server = {
    invalidate() {},
    surface: () =>
      new Promise<string>((resolve, reject) => {
        requests.push(resolve);
        fails.push(() => reject(new Error("no answer")));
      }),
  };
  const handlers: { onAdd(): void }[] = [];
  const informers = { of: () => ({ addHandler: (handler: { onAdd(): void }) => handlers.push(handler) }) };
  return {
    clock,
    requests,
    fails,
    informers: informers as never,
    change: () => handlers[0]?.onAdd(),
    discovery: createSharedDiscovery({ client: { server } as never, clock }),
  };
}

it("all share an answer until something changes, or it is old", async () => {
  const { clock, requests, informers, change, discovery } = setting();
  let changes = 0;
  for (let follower = 0; follower < 2; follower++) discovery.onChange(informers, () => changes++);
  const first = [discovery.surface(), discovery.surface()];
  requests[0]?.("one");
  expect(await Promise.all(first)).toEqual(["one", "one"]);
  change();
  expect(changes).toBe(2);
  const second = [discovery.surface(), discovery.surface()];
  requests[1]?.("two");
  expect(await Promise.all(second)).toEqual(["two", "two"]);
  await clock.advance(30_000);
  void discovery.surface();
  expect(requests).toHaveLength(3);
});

it("a fresh answer is of a request that begins later, one for all who wait", async () => {
  const { requests, discovery } = setting();
  const early = discovery.fresh();
  const late = [discovery.fresh(), discovery.fresh()];
  expect(requests).toHaveLength(1);
  requests[0]?.("one");
  expect(await early).toBe("one");
  await Promise.resolve();
  requests[1]?.("two");
  expect(await Promise.all(late)).toEqual(["two", "two"]);
  expect(requests).toHaveLength(2);
});

it("a request that failed is made again", async () => {
  const { requests, fails, discovery } = setting();
  const failed = discovery.surface();
  fails[0]?.();
  await expect(failed).rejects.toThrow("no answer");
  const next = discovery.surface();
  requests[1]?.("two");
  expect(await next).toBe("two");
});
