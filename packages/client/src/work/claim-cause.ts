import { addHeaders } from "../rest/add-headers.js";
import type { Interceptor } from "../transport/interceptor.js";
import type { TransportRequest } from "../transport/transport.js";
import { attributeWrite } from "./attribute-write.js";
import type { WorkRecorder } from "./record-work.js";

/** By which a component of another process names the work item that made it write. Servers that do not know it ignore it. */
export const causeHeader = "coxswain-cause";
/** Why it was done, in words: shown with the change. */
export const reasonHeader = "coxswain-reason";

/** A text as the value of a header: printable ASCII, and not too long. */
export const headerText = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, "?").slice(0, 1000);

export interface ClaimedCause {
  readonly queue: string;
  readonly item: string;
  /** Of changes that woke it. */
  readonly revisions: readonly number[];
}

const mostChars = 512;

/** `deployment default/web 99,104` */
export const formatClaim = ({ queue, item, revisions }: ClaimedCause): string =>
  `${queue.replaceAll(/\s/g, "_") || "queue"} ${item.replaceAll(/\s/g, "_")} ${revisions.slice(-16).join(",")}`.slice(
    0,
    mostChars,
  );

/** Undefined: it is none. What a client sent is bounded by the server. */
export function parseClaim(text: string): ClaimedCause | undefined {
  const [queue = "", item = "", numbers = "", ...more] = text.split(" ");
  if (queue === "" || item === "" || more.length > 0 || !/^[\d,]*$/.test(numbers)) return undefined;
  const revisions = numbers
    .split(",")
    .map(Number)
    .filter((each) => Number.isSafeInteger(each) && each > 0);
  return { queue, item, revisions: revisions.slice(0, 16) };
}

/** Adds the claim to writes of which the work item is certain. */
export const claimCauses = (recorder: Pick<WorkRecorder, "running">, writer: string): Interceptor =>
  addHeaders((request) => {
    if (request.method === "GET" || request.method === "HEAD") return undefined;
    const found = attributeWrite(factsOf(request), recorder.running(writer));
    const [work] = found?.certainty === "exact" ? found.works : [];
    if (!work) return undefined;
    return { [causeHeader]: formatClaim({ ...work, revisions: work.causes.map((cause) => cause.resourceVersion) }) };
  });

interface Sent {
  readonly metadata?: {
    readonly name?: string;
    readonly ownerReferences?: readonly { readonly name: string; readonly controller?: boolean }[];
  };
}

function factsOf({ method, path, body }: TransportRequest) {
  const parts = path.split("/").slice(path.startsWith("/api/") ? 3 : 4);
  const namespace = parts[0] === "namespaces" && parts.length > 2 ? parts[1] : undefined;
  const [, named = ""] = namespace === undefined ? parts : parts.slice(2);
  const sent = (body?.as === "value" ? body.value : undefined) as Sent | undefined;
  const name = method === "POST" && named === "" ? (sent?.metadata?.name ?? "") : named;
  const below = (text: string): string => (namespace === undefined ? text : `${namespace}/${text}`);
  return {
    object: below(name),
    owners: () => {
      const owner = sent?.metadata?.ownerReferences?.find(({ controller }) => controller === true);
      return owner ? [below(owner.name), owner.name] : [];
    },
  };
}
