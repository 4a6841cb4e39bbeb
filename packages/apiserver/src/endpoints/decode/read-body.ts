import type { HandlerDeps } from "../handler-deps.js";
import type { RequestContext } from "../request-context.js";

/** The bytes of the body; a value from the same process is written as JSON. Rejects with 413 when it is too long. */
export function readBody(deps: Pick<HandlerDeps, "maxBodyBytes">, { request }: RequestContext): Promise<Uint8Array> {
  return request.body.as === "bytes" ? request.body.read(deps.maxBodyBytes) : Promise.resolve(new TextEncoder().encode(JSON.stringify(request.body.value)));
}
