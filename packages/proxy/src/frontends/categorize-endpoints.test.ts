import { describe, expect, it } from "vitest";
import { categorizeEndpoints } from "./categorize-endpoints.js";
import type { Endpoint } from "./read-endpoints.js";

/** "a ready local zone=a,b node=n": an endpoint with the address a. */
function endpoint(text: string): Endpoint {
  const [address = "", ...words] = text.split(" ");
  const hints = (kind: string): ReadonlySet<string> | undefined => {
    const found = words.find((word) => word.startsWith(`${kind}=`));
    return found === undefined ? undefined : new Set(found.slice(kind.length + 1).split(","));
  };
  const is = (word: string): boolean => words.includes(word);
  return {
    address,
    port: 80,
    isLocal: is("local"),
    isReady: is("ready"),
    isServing: is("serving"),
    isTerminating: is("terminating"),
    zoneHints: hints("zone"),
    nodeHints: hints("node"),
  };
}

// The rows of upstream's TestCategorizeEndpoints (pkg/proxy/topology_test.go). `cluster` and `local`: undefined where not in use.
const rows: {
  name: string;
  zone?: string;
  node?: string;
  endpoints: string[];
  cluster?: string;
  local?: string;
  reachable?: string;
  hasAny?: boolean;
}[] = [
  {
    name: "zone hints on all endpoints choose those of the node's zone",
    zone: "a",
    endpoints: ["3 ready zone=a", "4 ready zone=b", "5 ready zone=c", "6 ready zone=a"],
    cluster: "3 6",
  },
  {
    name: "local endpoints are chosen without hints",
    zone: "a",
    endpoints: ["3 ready local zone=a", "4 ready local zone=b", "5 ready zone=c", "6 ready zone=a"],
    cluster: "3 6",
    local: "3 4",
    reachable: "3 6 4",
  },
  { name: "a node without a zone ignores zone hints", endpoints: ["3 ready zone=a"], cluster: "3" },
  { name: "a node in a zone without endpoints ignores hints", zone: "b", endpoints: ["3 ready zone=a"], cluster: "3" },
  {
    name: "an unready endpoint of the zone is not used",
    zone: "a",
    endpoints: ["3 ready zone=a", "4 ready zone=b", "5 ready zone=c", "6 zone=a"],
    cluster: "3",
  },
  {
    name: "only unready endpoints in the zone: hints are ignored",
    zone: "a",
    endpoints: ["3 zone=a", "4 ready zone=b", "5 ready zone=c", "6 zone=a"],
    cluster: "4 5",
  },
  {
    name: "one endpoint without a hint: hints are ignored",
    zone: "a",
    endpoints: ["3 ready zone=a", "4 ready zone=b", "5 ready", "6 ready zone=a"],
    cluster: "3 4 5 6",
  },
  {
    name: "an endpoint may be for several zones",
    zone: "c",
    endpoints: ["3 ready zone=a,b,c", "4 ready zone=b,c", "5 ready zone=b,d", "6 ready zone=c"],
    cluster: "3 4 6",
  },
  {
    name: "node hints come before zone hints",
    zone: "a",
    node: "n1",
    endpoints: ["3 ready zone=a node=n1", "4 ready zone=b node=n2", "5 ready zone=a node=n3"],
    cluster: "3",
  },
  {
    name: "node hints are ignored if one endpoint has none",
    zone: "a",
    node: "n1",
    endpoints: ["3 ready zone=a node=n1", "4 ready", "5 ready zone=c node=n3"],
    cluster: "3 4 5",
  },
  {
    name: "without an endpoint for the node, zone hints count",
    zone: "a",
    node: "n0",
    endpoints: ["3 ready zone=a node=n1", "4 ready zone=b node=n2", "6 ready zone=a node=n4"],
    cluster: "3 6",
  },
  { name: "local policy with nothing at all", endpoints: [], local: "", hasAny: false },
  { name: "local policy, all endpoints elsewhere", endpoints: ["0 ready", "1 ready"], local: "", hasAny: true },
  { name: "local policy, some here", endpoints: ["0 ready local", "1 ready"], local: "0" },
  { name: "nothing ready", endpoints: ["0", "1"], cluster: "", hasAny: false },
  { name: "some ready", endpoints: ["0", "1 ready"], cluster: "1" },
  {
    name: "all terminate: those that serve are used",
    endpoints: ["0 serving terminating local", "1 serving terminating", "2 terminating"],
    cluster: "0 1",
  },
  {
    name: "both policies local, all elsewhere and terminating",
    endpoints: ["0 serving terminating", "1 serving terminating"],
    cluster: "0 1",
    local: "",
  },
  {
    name: "a terminating local endpoint serves where no local one is ready",
    endpoints: ["0 ready", "1 local", "2 serving terminating local", "3 serving terminating"],
    cluster: "0",
    local: "2",
    reachable: "0 2",
  },
  { name: "not ready, not serving, not terminating", zone: "a", endpoints: ["0"], cluster: "", hasAny: false },
];

describe("the endpoints for each traffic policy", () => {
  const names = (endpoints: readonly Endpoint[]): string => endpoints.map(({ address }) => address).join(" ");
  for (const row of rows)
    it(row.name, () => {
      const found = categorizeEndpoints(
        row.endpoints.map(endpoint),
        { cluster: row.cluster !== undefined, local: row.local !== undefined },
        { name: row.node ?? "", zone: row.zone ?? "" },
      );
      expect(names(found.cluster)).toBe(row.cluster ?? "");
      expect(names(found.local)).toBe(row.local ?? "");
      expect(names(found.reachable)).toBe(row.reachable ?? (row.cluster || row.local || ""));
      expect(found.hasAny).toBe(row.hasAny ?? true);
    });
});
