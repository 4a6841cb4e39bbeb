import { badRequest } from "@coxswain/apimachinery/status";
import { describeChange, isDeletion, isNode, nameOf, nodeOf, valueOf } from "./change-facts.js";
import type { ExplanationSpec, ExplanationStatus, ExplanationStep } from "./explanation.js";
import { findCause } from "./find-cause.js";
import type { ObjectName, PastChange, PastReader } from "./past-reader.js";

/** Steps of a chain, at most: causes do not go in circles, but a mistake must not either. */
const mostSteps = 16;

/** The chain that led to a change of an object; undefined: nothing of it is known, or may be read. */
export async function explainObject(past: PastReader, spec: ExplanationSpec): Promise<ExplanationStatus | undefined> {
  const object = objectName(spec);
  const subject = await subjectOf(past, object, spec);
  if (!subject) return undefined;
  const chain: ExplanationStep[] = [stepOf(subject)];
  let change = subject;
  for (;;) {
    const cause = await findCause(change, past);
    if (cause.is === "end") {
      if (cause.text !== undefined) chain.push({ text: cause.text });
      return { chain, end: cause.end, notes: await notesOf(past, subject, object) };
    }
    chain.push({ ...stepOf(cause.change), certainty: cause.certainty });
    change = cause.change;
    if (chain.length >= mostSteps) return { chain, end: "unknown", notes: await notesOf(past, subject, object) };
  }
}

function objectName({ object = {} }: ExplanationSpec): ObjectName {
  const { apiVersion = "v1", kind = "", resource = "", namespace = "", name = "" } = object;
  if (name === "" || (kind === "") === (resource === ""))
    throw badRequest("spec.object: name, and one of kind and resource must be given");
  const group = apiVersion.includes("/") ? apiVersion.split("/")[0]! : "";
  return { group, kind: kind || resource, namespace, name };
}

/** What is asked about: the change that is named, the last of a member, or the one by which the object is here or gone. */
async function subjectOf(
  past: PastReader,
  object: ObjectName,
  { path, revision }: ExplanationSpec,
): Promise<PastChange | undefined> {
  const upTo = revision ?? Number.MAX_SAFE_INTEGER;
  if (path !== undefined) return past.find(object, { upTo, wanted: (each) => hasPath(each, path) });
  const last = await past.find(object, { upTo });
  if (!last || revision !== undefined || last.type === "Deleted") return last;
  if (isDeletion(last)) return last;
  const { uid } = last.object;
  const made = await past.find(object, { upTo, wanted: (each) => each.type === "Created" && each.object.uid === uid });
  return made ?? last;
}

const hasPath = ({ paths, type }: PastChange, path: string): boolean =>
  type === "Created" ||
  paths.some(
    (each) => each.path === path || (each.path.startsWith(path) && /^[.[]/.test(each.path.slice(path.length))),
  );

function stepOf(change: PastChange): ExplanationStep {
  const { metadata, revision, user, manager, userAgent, auditID } = change;
  return {
    text: describeChange(change),
    change: {
      name: metadata.name ?? "",
      ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
      revision,
      ...(metadata.creationTimestamp !== undefined && { time: String(metadata.creationTimestamp) }),
      ...(user !== undefined && { user }),
      ...(manager !== undefined && { manager }),
      ...(userAgent !== undefined && { userAgent }),
      ...(auditID !== undefined && { auditID }),
    },
  };
}

async function notesOf(past: PastReader, subject: PastChange, object: ObjectName): Promise<string[]> {
  const notes: string[] = [];
  if (subject.object.kind === "Pod") {
    for (const note of [await placeOf(past, object), await endOf(past, object)])
      if (note !== undefined) notes.push(note);
  }
  return isDeletion(subject) ? [...notes, ...(await deletionNotes(past, subject))] : notes;
}

interface PodObject {
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[];
  };
}

/** On which node a pod is and why, or why it is on none. */
async function placeOf(past: PastReader, object: ObjectName): Promise<string | undefined> {
  const upTo = Number.MAX_SAFE_INTEGER;
  const bound = await past.find(object, { upTo, wanted: ({ subresource }) => subresource === "binding" });
  if (bound) {
    const node = nodeOf(bound);
    return `Runs on ${node}${bound.reason === undefined ? "" : `: ${bound.reason}`}.`;
  }
  const last = await past.find(object, { upTo });
  if (!last || last.type === "Deleted" || nodeOf(last) !== "") return undefined;
  const tried = await past.find(object, { upTo, wanted: ({ reason }) => reason !== undefined });
  const { conditions = [] } = (valueOf(last) as PodObject | undefined)?.status ?? {};
  const message = conditions.find(({ type, status }) => type === "PodScheduled" && status === "False")?.message;
  const text = tried?.reason ?? message;
  return text === undefined ? "Not scheduled yet." : `Pending: ${text}`;
}

/** Why a container of it ended last, as its kubelet has it. */
async function endOf(past: PastReader, object: ObjectName): Promise<string | undefined> {
  const wanted = ({ user, reason }: PastChange): boolean => isNode(user) && reason !== undefined;
  const ended = await past.find(object, { upTo: Number.MAX_SAFE_INTEGER, wanted });
  return ended && `${ended.reason}, r${ended.revision}.`;
}

/** Revisions before and after one of its deletions that a request's others are looked for in. */
const mostOfOneRequest = 5000;

async function deletionNotes(past: PastReader, subject: PastChange): Promise<string[]> {
  const notes: string[] = [];
  if (subject.verb === "deletecollection" && subject.auditID !== undefined) {
    const { auditID } = subject;
    const range = { after: subject.revision - mostOfOneRequest, to: subject.revision + mostOfOneRequest };
    const count = (await past.ofRequest(auditID, range)).filter(isDeletion).length;
    notes.push(`One of ${count} of a deletecollection.`);
  }
  const last = subject.type === "Deleted" ? subject.previousRevision : subject.revision;
  if (last > 0 && !subject.valuesWithheld) {
    const { kind, name } = nameOf(subject);
    notes.push(
      `Its last value is that of r${last}: coxswain history restore ${kind.toLowerCase()}/${name} --to r${last}`,
    );
  }
  return notes;
}
