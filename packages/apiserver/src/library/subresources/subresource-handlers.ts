import { DecodeError, decodeJson } from "@coxswain/apimachinery/json";
import { formatGroupVersion } from "@coxswain/apimachinery/meta";
import { createNode, typeCodes } from "@coxswain/apimachinery/schema";
import { badRequest } from "@coxswain/apimachinery/status";
import { parseYaml } from "@coxswain/apimachinery/yaml";
import { readBody } from "../../endpoints/decode/read-body.js";
import type { HandlerDeps } from "../../endpoints/handler-deps.js";
import type { Target } from "../../endpoints/target.js";
import type { VerbHandler } from "../../endpoints/verb-handler.js";
import type { Answer } from "../../request/answer.js";
import type { RequestContext } from "../../request/request-context.js";
import type { PlainSubresource } from "./own-subresource.js";
import { subresourceRequest } from "./subresource-request.js";

type Body = Readonly<Record<string, unknown>>;

/** In discovery's words. */
export const plainVerbs = ({ get, create, update }: PlainSubresource): string[] => [
  ...(create ? ["create"] : []),
  ...(get ? ["get"] : []),
  ...(update ? ["update"] : []),
];

/** The verbs of a subresource that reads and writes documents of its own. */
export function plainHandlers(subresource: PlainSubresource, read: VerbHandler): Readonly<Record<string, VerbHandler>> {
  const { get, create, update } = subresource;
  return {
    ...(get && {
      get: async (deps, context, target) =>
        answerOf(subresource, target, 200, await get(subresourceRequest(read, deps, context, target))),
    }),
    ...(create && {
      create: async (deps, context, target) => {
        const request = subresourceRequest(read, deps, context, target);
        return answerOf(subresource, target, 201, await create(request, await bodyOf(deps, context)));
      },
    }),
    ...(update && {
      update: async (deps, context, target) => {
        const request = subresourceRequest(read, deps, context, target);
        return answerOf(subresource, target, 200, await update(request, await bodyOf(deps, context)));
      },
    }),
  } satisfies Record<string, VerbHandler>;
}

function answerOf({ kind: own }: PlainSubresource, { kind, version }: Target, code: number, answer: object): Answer {
  const named = own ?? { ...(version ?? kind) };
  const head = { kind: named.kind, apiVersion: formatGroupVersion(named) };
  const bytes = new TextEncoder().encode(`${JSON.stringify({ ...head, ...answer })}\n`);
  return { as: "document", code, contentType: "application/json", bytes, json: () => new TextDecoder().decode(bytes) };
}

const anything = createNode(typeCodes.json);

async function bodyOf(deps: HandlerDeps, context: RequestContext): Promise<Body> {
  const { body } = context.request;
  const value = body.as === "value" ? body.value : parsed(await readBody(deps, context), context);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw badRequest("the body is no object of JSON");
  return value as Body;
}

function parsed(bytes: Uint8Array, { request }: RequestContext): unknown {
  if (bytes.length === 0) return {};
  try {
    if (request.header("content-type")?.includes("yaml")) return parseYaml(new TextDecoder().decode(bytes)).value;
    return decodeJson(bytes, anything).object;
  } catch (err) {
    if (err instanceof DecodeError || err instanceof Error) throw badRequest(err.message, { cause: err });
    throw err;
  }
}
