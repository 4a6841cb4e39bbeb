import { type Protocol, protocols } from "../frontends/frontend.js";

/** Backends of addresses or of node ports; `local-`: those on this node, where both lists are in use. */
const backendLists = ["backends", "local-backends", "node-port-backends", "local-node-port-backends"] as const;
export type BackendList = (typeof backendLists)[number];
export type BackendMap = `${Protocol}-${BackendList}`;

const backendMaps = protocols.flatMap((protocol) => backendLists.map((list): BackendMap => `${protocol}-${list}`));

/** The maps and sets of a table whose elements come and go with services. */
export const containers = [
  "cluster-ips",
  "hairpin",
  "frontends",
  "node-ports",
  ...backendMaps,
  "no-endpoints",
  "no-endpoint-node-ports",
  "firewall",
] as const;
export type Container = (typeof containers)[number];

/** Sets among them: their elements have no value. */
export const sets: ReadonlySet<Container> = new Set(["cluster-ips", "hairpin"]);

export interface Element {
  readonly container: Container;
  readonly key: string;
  /** "" in sets. */
  readonly value: string;
}

/** A chain with all of its rules. */
export interface Chain {
  readonly name: string;
  readonly rules: readonly string[];
}
