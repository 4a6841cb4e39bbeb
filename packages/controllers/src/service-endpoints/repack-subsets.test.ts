import type { EndpointSubset } from "@coxswain/api/core/v1";
import { expect, it } from "vitest";
import { repackSubsets } from "./repack-subsets.js";

/** "1 2!" are the addresses 1 and 2, of which 2 is not ready; "1/u" is of the pod u. */
const subset = (addresses: string, ...ports: number[]): EndpointSubset => {
  const all = addresses.split(" ").map((text) => {
    const [ip = "", uid] = text.replace("!", "").split("/");
    return { isReady: !text.endsWith("!"), address: { ip, ...(uid && { targetRef: { uid } }) } };
  });
  const ready = all.filter(({ isReady }) => isReady).map(({ address }) => address);
  const notReady = all.filter(({ isReady }) => !isReady).map(({ address }) => address);
  return {
    ...(ready.length > 0 && { addresses: ready }),
    ...(notReady.length > 0 && { notReadyAddresses: notReady }),
    ...(ports.length > 0 && { ports: ports.map((port) => ({ port })) }),
  };
};

const rows: { name: string; given: EndpointSubset[]; packed: EndpointSubset[] }[] = [
  { name: "nothing", given: [], packed: [] },
  { name: "a subset without ports is kept", given: [subset("1")], packed: [subset("1")] },
  { name: "addresses are sorted", given: [subset("3 1 2!", 80)], packed: [subset("1 3 2!", 80)] },
  {
    name: "addresses with the same port come together",
    given: [subset("1", 80), subset("2", 80)],
    packed: [subset("1 2", 80)],
  },
  {
    name: "ports with the same addresses come together",
    given: [subset("1", 80), subset("1", 81)],
    packed: [subset("1", 80, 81)],
  },
  {
    name: "the same address twice is there once",
    given: [subset("1", 80), subset("1", 80)],
    packed: [subset("1", 80)],
  },
  {
    name: "the same address of two pods is there twice",
    given: [subset("1/a", 80), subset("1/b", 80)],
    packed: [subset("1/a 1/b", 80)],
  },
  { name: "not ready outweighs ready", given: [subset("1", 80), subset("1!", 80)], packed: [subset("1!", 80)] },
  {
    name: "ready for one port and not for another: two subsets",
    given: [subset("1", 80), subset("1!", 81)],
    packed: [subset("1", 80), subset("1!", 81)],
  },
];
const byPort = (subsets: readonly object[]): unknown[] =>
  [...subsets]
    .map((each) => {
      const { ports = [], ...rest } = each as EndpointSubset;
      return { ...rest, ports: ports.map(({ port }) => port).sort() };
    })
    .sort((a, b) => (JSON.stringify(a.ports) < JSON.stringify(b.ports) ? -1 : 1));
for (const { name, given, packed } of rows)
  it(name, () => {
    const result = repackSubsets(given);
    expect(byPort(result)).toEqual(byPort(packed));
    expect(repackSubsets([...given].reverse())).toEqual(result);
    expect(repackSubsets(result)).toEqual(result);
  });
