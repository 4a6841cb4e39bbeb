import type { Node, NodeAddress } from "@coxswain/api/core/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { StatusError } from "@coxswain/apimachinery/status";
import type { RequestContext } from "../../request/request-context.js";
import type { Streams } from "./create-streams.js";
import { readObject } from "./read-object.js";
import type { StreamDeps } from "./stream-deps.js";

/** Where a node's kubelet answers. */
export interface NodeConnection {
  readonly hostname: string;
  readonly port: string;
  readonly features: readonly string[];
}

/** @throws StatusError 404 without a node, 500 where the node has no address that fits */
export async function connectionOf(
  deps: StreamDeps,
  context: RequestContext,
  nodeName: string,
): Promise<NodeConnection> {
  return planConnection(await readObject<Node & KubernetesObject>(deps, context, "nodes", "", nodeName), deps.streams);
}

export function planConnection(
  { status }: Node,
  { preferredAddressTypes, kubeletPort }: Pick<Streams, "preferredAddressTypes" | "kubeletPort">,
): NodeConnection {
  const port = status?.daemonEndpoints?.kubeletEndpoint?.Port ?? 0;
  return {
    hostname: preferredAddress(status?.addresses ?? [], preferredAddressTypes),
    port: String(port > 0 ? port : kubeletPort),
    features: status?.declaredFeatures ?? [],
  };
}

function preferredAddress(addresses: readonly NodeAddress[], types: readonly string[]): string {
  for (const type of types) for (const known of addresses) if (known.type === type) return known.address;
  const known = addresses.map(({ type, address }) => `{${type} ${address}}`).join(" ");
  throw plainFailure(`no preferred addresses found; known addresses: [${known}]`);
}

/** A failure that upstream reports without a reason. */
export const plainFailure = (message: string, cause?: unknown): StatusError =>
  new StatusError({ code: 500, reason: "", message }, { cause });
