import type { DeepReadonly } from "@coxswain/api";
import type { PersistentVolume, Pod } from "@coxswain/api/core/v1";
import { podReferences, type ReferenceType } from "@coxswain/api/pods";
import { getOwn } from "@coxswain/apimachinery/own";
import { volumeSecrets } from "./volume-secrets.js";

/** What a node may have to do with. */
export type VertexType = ReferenceType | "pod" | "pv" | "volumeattachment" | "resourceslice";

const vertex = (type: VertexType, namespace: string, name: string): string => `${type}/${namespace}/${name}`;

/**
 * Which objects belong to which node:
 *
 *     node <- pod <- secret, configmap, service account, resource claim, claim of a volume <- volume <- secret
 *     node <- volume attachment, resource slice
 *
 * What several pods of a node refer to is counted, so that it stays as long as one of them does.
 */
export class NodeGraph {
  /** Each pod with a node: what it leads to. */
  readonly #pods = new Map<string, { readonly node: string; readonly leads: readonly string[] }>();
  /** By vertex: how many pods (or objects) of each node lead to it. */
  readonly #nodes = new Map<string, Map<string, number>>();
  readonly #volumes = new Map<string, { readonly claim: string; readonly secrets: readonly string[] }>();
  readonly #volumesOfSecret = new Map<string, Set<string>>();
  readonly #placed = new Map<string, string>();

  setPod(namespace: string, name: string, pod: DeepReadonly<Pod> | undefined): void {
    const key = vertex("pod", namespace, name);
    const known = this.#pods.get(key);
    if (known) for (const lead of known.leads) this.#count(lead, known.node, -1);
    this.#pods.delete(key);
    const node = pod?.spec?.nodeName ?? "";
    if (!pod || node === "") return;
    // A mirror pod gives its node nothing: nodes make those themselves.
    const isMirror = getOwn(pod.metadata?.annotations, "kubernetes.io/config.mirror") !== undefined;
    const references = isMirror ? [] : podReferences(pod);
    const leads = [key, ...references.map((reference) => vertex(reference.type, namespace, reference.name))];
    for (const lead of leads) this.#count(lead, node, 1);
    this.#pods.set(key, { node, leads });
  }

  setVolume(name: string, volume: DeepReadonly<PersistentVolume> | undefined): void {
    for (const secret of this.#volumes.get(name)?.secrets ?? []) this.#volumesOfSecret.get(secret)?.delete(name);
    this.#volumes.delete(name);
    const claim = volume?.spec?.claimRef;
    if (!volume || !claim) return;
    const secrets = volumeSecrets(volume).map((ref) => vertex("secret", ref.namespace, ref.name));
    this.#volumes.set(name, { claim: vertex("pvc", claim.namespace ?? "", claim.name ?? ""), secrets });
    for (const secret of secrets)
      this.#volumesOfSecret.set(secret, (this.#volumesOfSecret.get(secret) ?? new Set()).add(name));
  }

  /** An object that belongs to one node, or to none (""). */
  setPlaced(type: "volumeattachment" | "resourceslice", name: string, node: string): void {
    const key = vertex(type, "", name);
    const known = this.#placed.get(key);
    if (known !== undefined) this.#count(key, known, -1);
    this.#placed.delete(key);
    if (node === "") return;
    this.#count(key, node, 1);
    this.#placed.set(key, node);
  }

  /** Whether there is a way from the object to the node. */
  leadsTo(node: string, type: VertexType, namespace: string, name: string): boolean {
    if (type === "pv") return this.#volumeLeadsTo(node, name);
    const key = vertex(type, namespace, name);
    if (this.#nodes.get(key)?.has(node)) return true;
    if (type === "secret")
      for (const volume of this.#volumesOfSecret.get(key) ?? []) if (this.#volumeLeadsTo(node, volume)) return true;
    return false;
  }

  #volumeLeadsTo(node: string, name: string): boolean {
    const volume = this.#volumes.get(name);
    return volume !== undefined && (this.#nodes.get(volume.claim)?.has(node) ?? false);
  }

  #count(key: string, node: string, by: 1 | -1): void {
    const counts = this.#nodes.get(key) ?? new Map<string, number>();
    const count = (counts.get(node) ?? 0) + by;
    if (count > 0) counts.set(node, count);
    else counts.delete(node);
    if (counts.size > 0) this.#nodes.set(key, counts);
    else this.#nodes.delete(key);
  }
}
