import type { HandlerDeps } from "../handler-deps.js";
import type { RequestContext } from "../../request/request-context.js";
import { whileArriving } from "../../request/held-seats.js";
import { type Soon, whenKnown } from "@coxswain/runtime/soon";

/** Bodies up to this size are not counted: all seats together hold no more than a few large ones of them. */
const smallBytes = 64 * 1024;

/** What becomes of a byte at worst: `{},` is an object of 56 bytes and its place in a list, once as it was parsed and once in canonical form. */
const heapPerByte = 32;

/**
 * The bytes of the body; a value from the same process is written as JSON. Waits until the budget has room for what becomes of
 * it: before it is read where its length is declared, else afterwards. Rejects with 413 when it is too long.
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
  const declared = Math.min(Number(context.request.header("content-length") ?? 0), deps.maxBodyBytes);
  const bytes = whenKnown(holdMemory(deps.memory, context, declared), () => body.read(deps.maxBodyBytes));
  const held = whenKnown(bytes, (read) => {
    deps.bodyRead?.(info, read.length);
    context.bodyBytes = read.length;
    return whenKnown(holdMemory(deps.memory, context, read.length), () => read);
  });
  return whileArriving(context.seats, held);
}

function holdMemory(memory: HandlerDeps["memory"], context: RequestContext, length: number): Soon<void> {
  if (length <= smallBytes || context.releaseMemory) return;
  const taken = memory.take(context.user.name, length * heapPerByte, () => context.signal);
  return whenKnown(taken, (release) => void (context.releaseMemory = release));
}
