import type { HeldMemory } from "@coxswain/runtime/memory-budget";
import { type Soon, whenKnown } from "@coxswain/runtime/soon";
import { whileArriving } from "../../request/held-seats.js";
import type { ApiRequest } from "../../request/request.js";
import type { RequestContext } from "../../request/request-context.js";
import type { HandlerDeps } from "../handler-deps.js";

/** Bodies up to this size are not counted: all seats together hold no more than a few large ones of them. */
const smallBytes = 64 * 1024;

/** What becomes of a byte at worst: `{},` is an object of 56 bytes and its place in a list, once as it was parsed and once in canonical form. */
const heapPerByte = 32;

/**
 * The bytes of the body; a value from the same process is written as JSON. Waits until the budget has room for what becomes of
 * it: before it is read where its length is declared, else when more than a small body has come. Then room for the longest is
 * taken, and what is not needed is given back: requests that each took more as they grow would wait for each other.
 * Rejects with 413 when it is too long.
 */
export function readBody(
  deps: Pick<HandlerDeps, "maxBodyBytes" | "bodyRead" | "memory">,
  context: RequestContext,
): Soon<Uint8Array> {
  const {
    request: { body },
    info,
  } = context;
  if (body.as === "value") {
    const written = new TextEncoder().encode(JSON.stringify(body.value));
    deps.bodyRead?.(info, written.length);
    return written;
  }
  const { maxBodyBytes } = deps;
  let held: HeldMemory | undefined;
  const hold = (length: number): Soon<void> => {
    if (length <= smallBytes || held) return;
    const taken = deps.memory.take(context.user.name, length * heapPerByte, () => context.signal);
    return whenKnown(taken, (memory) => {
      held = memory;
      context.releaseMemory = () => memory.release();
    });
  };
  const declared = Math.min(declaredLength(context.request), maxBodyBytes);
  const room = { freeBytes: smallBytes, more: () => hold(maxBodyBytes) };
  const bytes = whenKnown(hold(declared), () => body.read(maxBodyBytes, room));
  const read = whenKnown(bytes, (whole) => {
    deps.bodyRead?.(info, whole.length);
    context.bodyBytes = whole.length;
    held?.reduceTo(whole.length * heapPerByte);
    // A body of the same process is there without asking for room.
    return whenKnown(hold(whole.length), () => whole);
  });
  return whileArriving(context.seats, read);
}

/** 0 where there is none, or none that is a number: of HTTP/2 the framing counts. */
function declaredLength(request: ApiRequest): number {
  const declared = request.header("content-length");
  return declared !== undefined && /^\d{1,15}$/.test(declared) ? Number(declared) : 0;
}
