import type { Lease } from "@coxswain/api/coordination/v1";
import type { Node } from "@coxswain/api/core/v1";
import { isAlreadyExists, isConflict, isNotFound } from "@coxswain/apimachinery/status";
import { formatMicroTime } from "@coxswain/apimachinery/time";
import type { Client } from "@coxswain/client";

/** Creates the Node; one that is there already gets the labels and the status of this kubelet. */
export async function registerNode(
  client: Client,
  node: Node,
  {
    signal,
    keepsStatus = false,
  }: { readonly signal: AbortSignal /** Others write the status. */; readonly keepsStatus?: boolean },
): Promise<Node> {
  const nodes = client.core.v1.nodes();
  try {
    return await nodes.create(node, { signal });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
  const name = node.metadata?.name ?? "";
  const { labels = {}, annotations = {} } = node.metadata ?? {};
  const stored = await nodes.patch(name, { strategic: { metadata: { labels, annotations } } }, { signal });
  if (keepsStatus) return stored;
  return nodes.subresource<Node>("status").patch(name, { strategic: { status: node.status } }, { signal });
}

const leaseNamespace = "kube-node-lease";
/** Upstream's default. */
const leaseSeconds = 40;

/** Renews the node's lease, or creates it. `known` is what the last renewal returned, so that no read is needed. */
export async function renewLease(
  client: Client,
  { node, known, now }: { node: Node; known: Lease | undefined; now: number },
  signal: AbortSignal,
): Promise<Lease> {
  const leases = client.coordination.v1.leases(leaseNamespace);
  const renewTime = formatMicroTime(now);
  const name = node.metadata?.name ?? "";
  const renew = (lease: Lease): Promise<Lease> =>
    leases.update(
      { ...lease, spec: { ...lease.spec, holderIdentity: name, leaseDurationSeconds: leaseSeconds, renewTime } },
      { signal },
    );
  try {
    if (known) return await renew(known);
  } catch (error) {
    if (!isConflict(error) && !isNotFound(error)) throw error;
  }
  try {
    return await renew(await leases.get(name, { signal }));
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  const owner = { apiVersion: "v1", kind: "Node", name, uid: node.metadata?.uid ?? "" };
  return leases.create(
    {
      metadata: { name, namespace: leaseNamespace, ownerReferences: [owner] },
      spec: { holderIdentity: name, leaseDurationSeconds: leaseSeconds, renewTime },
    },
    { signal },
  );
}
