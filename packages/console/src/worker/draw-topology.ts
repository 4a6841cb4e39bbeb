import type { RestClient } from "@coxswain/client";
import type { GraphPicture } from "../contract/graph.js";
import type { ObjectRef } from "../contract/messages.js";
import { pathOf, refTo } from "../contract/paths.js";
import type { Catalogue } from "./catalogue.js";
import { placeGraph } from "./graph/place-graph.js";
import { type PlacedObject, topologyOf } from "./graph/topology.js";
import { listObjects } from "./list-objects.js";
import { readObject } from "./object-feed.js";

/** Kinds of the namespace that are looked through. */
const looked: readonly (readonly [group: string, resource: string])[] = [
  ["apps", "deployments"],
  ["apps", "replicasets"],
  ["apps", "statefulsets"],
  ["apps", "daemonsets"],
  ["batch", "cronjobs"],
  ["batch", "jobs"],
  ["", "pods"],
  ["", "services"],
  ["networking.k8s.io", "ingresses"],
  ["networking.k8s.io", "networkpolicies"],
  ["policy", "poddisruptionbudgets"],
  ["autoscaling", "horizontalpodautoscalers"],
  ["", "persistentvolumeclaims"],
];

/** Of each kind; a picture has far fewer. */
const most = 500;

/** What belongs to an object, as a picture: read once, not followed. */
export async function drawTopology(
  { rest, catalogue }: { readonly rest: RestClient; readonly catalogue: Catalogue },
  ref: ObjectRef,
): Promise<GraphPicture> {
  const lists = await Promise.all(
    looked.map(([group, resource]) => readKind(rest, catalogue, { group, resource, namespace: ref.namespace })),
  );
  const objects = lists.flat();
  const isKnown = objects.some((one) => one.ref.resource === ref.resource && one.ref.name === ref.name);
  if (!isKnown) objects.push({ ref, object: await readObject(rest, ref, "") });
  return placeGraph(topologyOf(ref, objects));
}

async function readKind(
  rest: RestClient,
  catalogue: Catalogue,
  { group, resource, namespace }: { readonly group: string; readonly resource: string; readonly namespace: string },
): Promise<PlacedObject[]> {
  const info = catalogue.find(group, resource);
  if (!info) return [];
  const { version, kind } = info;
  try {
    const objects = await listObjects(rest, pathOf({ group, version, resource, namespace }), [["limit", String(most)]]);
    return objects.map((object) => ({ ref: refTo(info, object.metadata), object: { ...object, kind } }));
  } catch {
    return []; // what one may not read is not in the picture
  }
}
