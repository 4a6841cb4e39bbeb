import { describe, expect, it } from "vitest";
import {
  type CachedIpAddress,
  type CachedServiceCidr,
  containing,
  finalizer,
  inUse,
  mayDelete,
  overlapping,
  planServiceCidr,
  ready,
} from "./plan.js";

const range = (name: string, ...cidrs: string[]): CachedServiceCidr => ({ metadata: { name }, spec: { cidrs } });
const address = (name: string, manager = "ipallocator.k8s.io"): CachedIpAddress => ({
  metadata: { name, labels: { "ipaddress.kubernetes.io/managed-by": manager } },
});

describe("whether a range may go", () => {
  const own = range("own", "10.0.0.0/24");
  const rows: {
    name: string;
    others?: CachedServiceCidr[];
    addresses?: CachedIpAddress[];
    range?: CachedServiceCidr;
    is: boolean;
  }[] = [
    { name: "nobody has an address from it", is: true },
    { name: "a service has one", addresses: [address("10.0.0.5")], is: false },
    { name: "addresses of others do not count", addresses: [address("10.0.0.5", "me")], is: true },
    { name: "addresses outside do not count", addresses: [address("10.1.0.5"), address("fd00::1")], is: true },
    {
      name: "neither does the network's own, nor its last one",
      addresses: [address("10.0.0.0"), address("10.0.0.255")],
      is: true,
    },
    {
      name: "the last address of IPv6 counts, its network's own does not",
      range: range("own", "10.0.0.0/24", "fd00::/112"),
      addresses: [address("fd00::ffff")],
      is: false,
    },
    {
      name: "the network's own address of IPv6 does not count",
      range: range("own", "10.0.0.0/24", "fd00::/112"),
      addresses: [address("fd00::")],
      is: true,
    },
    {
      name: "others hold each of its families",
      range: range("own", "10.0.0.0/24", "fd00::/112"),
      others: [range("four", "10.0.0.0/16"), range("six", "fd00::/96")],
      addresses: [address("10.0.0.5"), address("fd00::5")],
      is: true,
    },
    {
      name: "a range beside it holds nothing of it",
      others: [range("beside", "10.0.1.0/24")],
      addresses: [address("10.0.0.5")],
      is: false,
    },
    {
      name: "a larger range holds it",
      others: [range("large", "10.0.0.0/16")],
      addresses: [address("10.0.0.5")],
      is: true,
    },
    {
      name: "an equal range holds it",
      others: [range("same", "10.0.0.0/24")],
      addresses: [address("10.0.0.5")],
      is: true,
    },
    {
      name: "a smaller range holds the address",
      others: [range("small", "10.0.0.0/28")],
      addresses: [address("10.0.0.5")],
      is: true,
    },
    {
      name: "a smaller range does not hold it",
      others: [range("small", "10.0.0.0/28")],
      addresses: [address("10.0.0.55")],
      is: false,
    },
    {
      name: "the second family is held by none",
      range: range("own", "10.0.0.0/24", "fd00::/112"),
      others: [range("large", "10.0.0.0/16")],
      addresses: [address("fd00::1")],
      is: false,
    },
  ];
  for (const { name, others = [], addresses = [], range: of = own, is } of rows)
    it(name, () => expect(mayDelete(of, { all: [of, ...others], addresses })).toBe(is));
});

it("a change of a range or an address concerns the ranges around it", () => {
  const all = [range("a", "10.0.0.0/24"), range("b", "10.0.0.0/16"), range("c", "10.1.0.0/16", "fd00::/112")];
  expect(overlapping(range("new", "10.0.0.0/20"), all)).toEqual(["a", "b"]);
  expect(containing(address("10.0.0.5"), all)).toEqual(["a", "b"]);
  expect(containing(address("fd00::5"), all)).toEqual(["c"]);
  expect(containing(address("10.0.0.5", "me"), all)).toEqual([]);
  expect(containing(address("10.0.0.0"), all)).toEqual([]);
  expect(containing(address("10.0.0.255"), all)).toEqual(["b"]);
  expect(containing(address("fd00::"), all)).toEqual([]);
  expect(containing(address("fd00::ffff"), all)).toEqual(["c"]);
  expect(overlapping(range("same", "10.0.0.0/24"), all)).toEqual(["a", "b"]);
});

describe("what becomes of a range", () => {
  const kept: CachedServiceCidr = {
    metadata: { name: "a", finalizers: [finalizer] },
    spec: { cidrs: ["10.0.0.0/24"] },
    status: { conditions: [{ ...ready, lastTransitionTime: "" }] },
  };
  const plan = (of: CachedServiceCidr, deletedMs?: number, mayGo = true) =>
    planServiceCidr(of, { mayGo: () => mayGo, deletedMs, nowMs: 15_000 });
  it("a new one gets a finalizer and is ready", () =>
    expect(plan(range("a", "10.0.0.0/24"))).toEqual({ kind: "keep", addFinalizer: true, condition: ready }));
  it("then it stays as it is", () =>
    expect(plan(kept)).toEqual({ kind: "keep", addFinalizer: false, condition: undefined }));
  it("a deleted one that is used stays and reports it", () =>
    expect(plan(kept, 0, false)).toEqual({ kind: "keep", addFinalizer: false, condition: inUse }));
  it("one that is not used waits for ten seconds", () => {
    expect(plan(kept, 6_000)).toEqual({ kind: "wait", ms: 1_000 });
    expect(plan(kept, 5_000)).toEqual({ kind: "release" });
  });
});
