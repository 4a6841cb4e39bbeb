import type { HandlerDeps } from "../handler-deps.js";
import type { RequestContext } from "../request-context.js";

/** The bytes of the body; a value from the same process is written as JSON. Rejects with 413 when it is too long. */
export async function readBody(deps: Pick<HandlerDeps, "maxBodyBytes" | "bodyRead">, { request, info }: RequestContext): Promise<Uint8Array> {
  const bytes = request.body.as === "bytes" ? await request.body.read(deps.maxBodyBytes) : new TextEncoder().encode(JSON.stringify(request.body.value));
  deps.bodyRead?.(info, bytes.length);
  return bytes;
}
