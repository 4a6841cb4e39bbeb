import type { RestClient } from "@coxswain/client";
import type { GraphPicture } from "../contract/graph.js";
import type { ObjectRef, ResourceInfo } from "../contract/messages.js";
import { pathOf, refTo } from "../contract/paths.js";
import type { Catalogue } from "./catalogue.js";
import { placeGraph } from "./graph/place-graph.js";
import { type PlacedObject, topologyOf } from "./graph/topology.js";
import { listObjects } from "./list-objects.js";
import { readObject } from "./object-feed.js";

/** Kinds of the namespace that are looked through. */
const looked = `deployments.apps replicasets.apps statefulsets.apps daemonsets.apps cronjobs.batch jobs.batch pods services
  ingresses.networking.k8s.io networkpolicies.networking.k8s.io poddisruptionbudgets.policy
  horizontalpodautoscalers.autoscaling persistentvolumeclaims`;

/** Of each kind; a picture has far fewer. */
const most = 500;

/** What belongs to an object, as a picture: read once, not followed. */
export async function drawTopology(
  { rest, catalogue }: { readonly rest: RestClient; readonly catalogue: Catalogue },
  ref: ObjectRef,
): Promise<GraphPicture> {
  const lists = await Promise.all(catalogue.named(looked).map((info) => readKind(rest, info, ref.namespace)));
  const objects = lists.flat();
  const isKnown = objects.some((one) => one.ref.resource === ref.resource && one.ref.name === ref.name);
  if (!isKnown) objects.push({ ref, object: await readObject(rest, ref, "") });
  return placeGraph(topologyOf(ref, objects));
}

async function readKind(rest: RestClient, info: ResourceInfo, namespace: string): Promise<PlacedObject[]> {
  try {
    const objects = await listObjects(rest, pathOf({ ...info, namespace }), [["limit", String(most)]]);
    return objects.map((object) => ({ ref: refTo(info, object.metadata), object: { ...object, kind: info.kind } }));
  } catch {
    return []; // what one may not read is not in the picture
  }
}
