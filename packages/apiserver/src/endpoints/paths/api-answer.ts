import { builtInTypes } from "@coxswain/api/tables";
import { stringifyJson, walk } from "@coxswain/apimachinery/json";
import { isPrettyRequest, type MediaTypeName, negotiateOutput } from "@coxswain/apimachinery/negotiation";
import { encodeProtobufObject } from "@coxswain/apimachinery/protobuf";
import type { DocumentAnswer } from "../../request/answer.js";
import type { RequestContext } from "../../request/request-context.js";

/** A document of the API that is stored nowhere, in the form the client accepts. `type` is its OpenAPI name. Throws 406. */
export async function apiAnswer(
  { request, query }: RequestContext,
  value: unknown,
  type: string,
): Promise<DocumentAnswer> {
  const accepted = {
    accept: request.header("accept"),
    pretty: query.has("pretty") ? query.text("pretty") : undefined,
    userAgent: request.header("user-agent"),
  };
  const { mediaType, pretty } = negotiateOutput(accepted);
  const bytes = await encodeDocument(
    value,
    type,
    mediaType,
    pretty || (mediaType === "application/json" && isPrettyRequest(accepted)),
  );
  return { as: "document", code: 200, contentType: mediaType, bytes, json: () => stringifyJson(value) };
}

export async function encodeDocument(
  value: unknown,
  type: string,
  form: MediaTypeName,
  pretty: boolean,
): Promise<Uint8Array> {
  switch (form) {
    case "application/json":
      return new TextEncoder().encode(pretty ? stringifyJson(value, { pretty }) : `${stringifyJson(value)}\n`);
    case "application/yaml":
      return new TextEncoder().encode((await import("@coxswain/apimachinery/yaml")).stringifyYaml(value));
    case "application/vnd.kubernetes.protobuf": {
      const node = builtInTypes.get(type);
      return encodeProtobufObject(walk(value, node), node);
    }
  }
}
