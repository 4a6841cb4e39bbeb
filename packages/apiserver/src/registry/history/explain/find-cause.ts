import { parseTimeMs } from "@coxswain/apimachinery/time";
import {
  addedTaints,
  controllerOf,
  isComponent,
  isController,
  isDeletion,
  isFailure,
  isIntent,
  isNode,
  isNodeFault,
  nameOf,
  nodeOf,
  ownerName,
  ownersOf,
  touches,
  valueOf,
} from "./change-facts.js";
import type { ExplanationEnd, ExplanationStep } from "./explanation.js";
import type { PastChange, PastReader } from "./past-reader.js";

/** The change before it, or where the chain ends. */
export type Cause =
  | {
      readonly is: "change";
      readonly change: PastChange;
      readonly certainty: NonNullable<ExplanationStep["certainty"]>;
    }
  | { readonly is: "end"; readonly end: ExplanationEnd; readonly text?: string };

type Rule = (change: PastChange, past: PastReader) => Promise<Cause | undefined> | Cause | undefined;

/** The first that knows a cause counts. What is special comes before what is general. */
const rules: readonly Rule[] = [
  requested,
  finished,
  collected,
  withItsNamespace,
  onSchedule,
  ofANode,
  measured,
  byKubelet,
  inPlaceOf,
  intended,
  woken,
];

/** What made a change necessary. Bounded: each rule reads a few objects. */
export async function findCause(change: PastChange, past: PastReader): Promise<Cause> {
  for (const rule of rules) {
    const cause = await rule(change, past);
    if (cause) return cause;
  }
  return { is: "end", end: "unknown" };
}

const before = ({ revision }: PastChange): number => revision - 1;

type Certainty = NonNullable<ExplanationStep["certainty"]>;

const because = (change: PastChange | undefined, certainty: Certainty): Cause | undefined =>
  change && { is: "change", change, certainty };

/** Somebody asked for it. */
function requested({ user }: PastChange): Cause | undefined {
  return user !== undefined && !isComponent(user) ? { is: "end", end: "person" } : undefined;
}

/** An object goes after its deletion was requested: that is the reason, also where another component takes it away in the end. */
async function finished(change: PastChange, past: PastReader): Promise<Cause | undefined> {
  if (change.type !== "Deleted") return undefined;
  const { uid } = change.object;
  const request = await past.find(nameOf(change), {
    upTo: before(change),
    wanted: ({ type, object }) => type === "DeletionRequested" && object.uid === uid,
  });
  return because(request, "exact");
}

/** Garbage collection: an owner is gone. */
async function collected(change: PastChange, past: PastReader): Promise<Cause | undefined> {
  if (!isController(change, "generic-garbage-collector")) return undefined;
  for (const owner of ownersOf(change)) {
    const gone = await past.find(ownerName(owner, change.object.namespace ?? ""), {
      upTo: before(change),
      wanted: (each) => isDeletion(each) && each.object.uid === owner.uid,
    });
    if (gone) return because(gone, "exact");
  }
  return undefined;
}

async function withItsNamespace(change: PastChange, past: PastReader): Promise<Cause | undefined> {
  if (!isController(change, "namespace-controller") || !isDeletion(change)) return undefined;
  const name = change.object.namespace ?? change.object.name;
  const request = await past.find(
    { group: "", kind: "Namespace", namespace: "", name },
    { upTo: before(change), wanted: isDeletion },
  );
  return because(request, "exact");
}

/** A CronJob's time had come. */
async function onSchedule(change: PastChange, past: PastReader): Promise<Cause | undefined> {
  const owner = controllerOf(change);
  if (change.type !== "Created" || owner?.kind !== "CronJob") return undefined;
  const made = await past.find(ownerName(owner, change.object.namespace ?? ""), { upTo: before(change) });
  const { schedule } = ((made && valueOf(made)) as { spec?: { schedule?: string } } | undefined)?.spec ?? {};
  const due = valueOf(change)?.metadata?.annotations?.["batch.kubernetes.io/cronjob-scheduled-timestamp"];
  const time = due === undefined || parseTimeMs(due) === undefined ? "" : ` at ${due}`;
  const text = `CronJob ${owner.name} was due${time}${schedule === undefined ? "" : ` by its schedule "${schedule}"`}`;
  return { is: "end", end: "clock", text };
}

/** The node controller taints nodes that do not report, and evicts and marks their pods. */
async function ofANode(change: PastChange, past: PastReader): Promise<Cause | undefined> {
  if (isNodeFault(change)) return { is: "end", end: "node" };
  const isNodeController = isController(change, "node-controller");
  if (!isNodeController && !isController(change, "pod-garbage-collector")) return undefined;
  const name = change.object.kind === "Node" ? change.object.name : nodeOf(change);
  if (name === "") return undefined;
  const found = await past.find(
    { group: "", kind: "Node", namespace: "", name },
    {
      upTo: before(change),
      wanted: (each) =>
        isNodeFault(each) || isDeletion(each) || (change.object.kind === "Pod" && addedTaints(each).length > 0),
    },
  );
  return because(found, "probable");
}

/** An autoscaler acts on what it measured. */
async function measured(change: PastChange, past: PastReader): Promise<Cause | undefined> {
  if (!isController(change, "horizontal-pod-autoscaler") || change.object.kind === "HorizontalPodAutoscaler")
    return undefined;
  const [namespace = "", name = ""] = (change.causes[0]?.item ?? "").split("/");
  const text = change.reason ?? "its autoscaler wanted it";
  const autoscaler = await past.find(
    { group: "autoscaling", kind: "HorizontalPodAutoscaler", namespace, name },
    { upTo: before(change) },
  );
  return { is: "end", end: "measurement", text: autoscaler ? `HorizontalPodAutoscaler ${name}: ${text}` : text };
}

/** What a kubelet reports happened on its node; a pod that goes was asked to. */
async function byKubelet(change: PastChange, past: PastReader): Promise<Cause | undefined> {
  if (!isNode(change.user)) return undefined;
  if (
    change.object.kind === "Pod" &&
    valueOf(change)?.metadata?.deletionTimestamp !== undefined &&
    !isFailure(change)
  ) {
    const request = await past.find(nameOf(change), {
      upTo: before(change),
      wanted: ({ type }) => type === "DeletionRequested",
    });
    if (request) return because(request, "exact");
  }
  const text = change.reason;
  return { is: "end", end: "node", ...(text !== undefined && { text }) };
}

/** Something of the same controller went or failed, and is replaced. */
async function inPlaceOf(change: PastChange, past: PastReader): Promise<Cause | undefined> {
  const owner = controllerOf(change);
  if (change.type !== "Created" || !owner) return undefined;
  const intent = await past.find(ownerName(owner, change.object.namespace ?? ""), {
    upTo: before(change),
    wanted: isIntent,
  });
  for (const { revisions, certainty } of change.causes)
    for (const revision of revisions.toSorted((a, b) => b - a)) {
      const trigger = (await past.at(revision)).find((each) => controllerOf(each)?.uid === owner.uid);
      if (!trigger) continue;
      // A controller reads the world as it is, not the event that woke it: what came meanwhile counts.
      const wanted = (each: PastChange): boolean => isDeletion(each) || isFailure(each);
      const lost = await past.find(nameOf(trigger), { upTo: before(change), wanted });
      if (lost && lost.revision > (intent?.revision ?? 0)) return because(lost, certainty);
    }
  return undefined;
}

/** What its controller, or it itself, was last asked to be. */
async function intended(change: PastChange, past: PastReader): Promise<Cause | undefined> {
  const owner = controllerOf(change);
  const subject = owner ? ownerName(owner, change.object.namespace ?? "") : nameOf(change);
  const wanted = (each: PastChange): boolean => isIntent(each) && (!owner || each.object.uid === owner.uid);
  const intent = await past.find(subject, { upTo: before(change), wanted });
  if (!intent || (!owner && !isComponent(change.user))) return undefined;
  // The status of an object follows others too: what woke its controller is nearer.
  if (!owner && !touches(change, /^spec\b/) && change.causes.length > 0) return undefined;
  return because(intent, change.causes[0]?.certainty ?? "probable");
}

/** What woke the controller last. */
async function woken(change: PastChange, past: PastReader): Promise<Cause | undefined> {
  for (const { revisions, certainty } of change.causes)
    for (const revision of revisions.toSorted((a, b) => b - a)) {
      if (revision >= change.revision) continue;
      const [found] = await past.at(revision);
      if (found) return because(found, certainty);
    }
  return undefined;
}
