import type { HandlerDeps } from "../handler-deps.js";
import type { RequestContext } from "../../request/request-context.js";
import { type Soon, whenKnown } from "../../runtime/soon.js";

/** The bytes of the body; a value from the same process is written as JSON. Rejects with 413 when it is too long. */
export function readBody(
  deps: Pick<HandlerDeps, "maxBodyBytes" | "bodyRead">,
  { request: { body }, info }: RequestContext,
): Soon<Uint8Array> {
  return whenKnown(
    body.as === "bytes" ? body.read(deps.maxBodyBytes) : new TextEncoder().encode(JSON.stringify(body.value)),
    (bytes) => {
      deps.bodyRead?.(info, bytes.length);
      return bytes;
    },
  );
}
