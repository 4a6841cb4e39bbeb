import { describe, expect, it } from "vitest";
import { Latencies } from "./latencies.js";

describe("where the time of a request goes", () => {
  const spent = new Latencies();
  spent.add("etcd", 400);
  spent.add("etcd", 120.5);
  spent.add("authorization", 0);
  spent.add("apf-queue-wait", 1200);
  it("is not recorded for a request that was quick", () => expect([...spent.annotations(500)]).toEqual([]));
  it("is recorded for one that was slow, layer by layer", () =>
    expect(Object.fromEntries(spent.annotations(2000))).toEqual({
      "apiserver.latency.k8s.io/etcd": "520.5ms",
      "apiserver.latency.k8s.io/apf-queue-wait": "1.2s",
      "apiserver.latency.k8s.io/total": "2s",
    }));
  it("names few of many parts", () => {
    const many = new Latencies();
    for (let count = 0; count < 100; count++) many.addPart({ layer: "mutating-webhook", name: `w${count}`, ms: 1 });
    expect(many.parts).toHaveLength(16);
  });
});
