import { Readable } from "node:stream";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { badRequest } from "@coxswain/apimachinery/status";
import { admitConnection } from "../../endpoints/admit-connection.js";
import { readBody } from "../../endpoints/decode/read-body.js";
import type { HandlerDeps } from "../../endpoints/handler-deps.js";
import { methodNotAllowed, resourceNotFound } from "../../endpoints/router-errors.js";
import type { VerbHandler } from "../../endpoints/verb-handler.js";
import type { Answer } from "../../request/answer.js";
import type { RequestContext } from "../../request/request-context.js";
import type { ConnectingSubresource } from "./own-subresource.js";
import { subresourceRequest } from "./subresource-request.js";

const usualMethods = ["GET", "POST"];

/** Hands a request on, whatever its method, once admission lets it. */
export const connectHandler =
  (subresource: ConnectingSubresource, read: VerbHandler): VerbHandler =>
  async (deps, context, target) => {
    const { info, request, query } = context;
    if (info.subresource !== "proxy" && info.parts.length > 3) throw resourceNotFound();
    if (!(subresource.methods ?? usualMethods).includes(request.method)) throw methodNotAllowed();
    if (query.all("dryRun").length > 0) throw badRequest("dryRun is not supported");
    const { kind, name } = target;
    const object = { apiVersion: `${kind.group}/${kind.version}`, kind: kind.kind, metadata: { name } };
    await admitConnection(deps, context, { target, object: object as KubernetesObject });
    const { wire } = request;
    const answer = await subresource.connect({
      ...subresourceRequest(read, deps, context, target),
      method: request.method,
      path: `/${info.parts.slice(3).join("/")}`,
      header: (name) => request.header(name),
      openBody: () => wire?.openBody() ?? Readable.from(bodyOf(deps, context)),
      ...(wire?.upgrade && { upgrade: wire.upgrade }),
    });
    return answer.as === "upgraded" ? answer : streamAnswer(answer);
  };

const streamAnswer = ({
  code = 200,
  headers = {},
  body,
}: {
  code?: number;
  headers?: Readonly<Record<string, string>>;
  body?: Readable;
}): Answer => ({
  as: "stream",
  code,
  headers,
  body,
});

async function* bodyOf(deps: HandlerDeps, context: RequestContext): AsyncGenerator<Uint8Array> {
  yield await readBody(deps, context);
}
