import type { HostAddress } from "./go-address.js";

/** A port of a service or of a slice. */
export interface PortRecord {
  /** -1: there is no port, which SRV records leave out. */
  readonly port: number;
  /** In lower case; empty for a port without a name. */
  readonly name: string;
  /** In lower case: `tcp`. */
  readonly protocol: string;
}

/** What DNS needs of a Service. */
export interface ServiceRecord {
  readonly namespace: string;
  readonly name: string;
  readonly kind: "cluster-ip" | "headless" | "external-name";
  readonly clusterIps: readonly HostAddress[];
  /** Without a last dot; empty where the kind is another. */
  readonly externalName: string;
  /** At least one: without ports, one of -1. */
  readonly ports: readonly PortRecord[];
}

/** A ready endpoint under one of its addresses. */
export interface EndpointRecord extends HostAddress {
  /** Its own, or its address with dashes. */
  readonly hostname: string;
}

/** What DNS needs of an EndpointSlice. */
export interface SliceRecord {
  readonly namespace: string;
  readonly name: string;
  readonly service: string;
  readonly endpoints: readonly EndpointRecord[];
  /** At least one: without ports, one of -1. */
  readonly ports: readonly PortRecord[];
}

/** What a cluster contains, as far as DNS answers with it. Names are in lower case, as Kubernetes has them. */
export interface Records {
  /** Whether everything was read once: before that a name that is unknown may exist. */
  readonly isComplete: boolean;
  /** Seconds since 1970 of the last change. */
  readonly serial: number;
  hasNamespace(name: string): boolean;
  service(namespace: string, name: string): ServiceRecord | undefined;
  slices(namespace: string, service: string): Iterable<SliceRecord>;
  /** Addresses of all ready endpoints of a service, each once. */
  addresses(namespace: string, service: string, type: HostAddress["type"]): readonly string[];
  serviceByClusterIp(address: string): ServiceRecord | undefined;
  slicesByAddress(address: string): Iterable<SliceRecord>;
}
