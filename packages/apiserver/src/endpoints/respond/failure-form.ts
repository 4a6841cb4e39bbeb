import { findOutput, isPrettyRequest } from "@coxswain/apimachinery/negotiation";
import type { StatusForm } from "../../request/form.js";
import type { RequestContext } from "../../request/request-context.js";
import { jsonForm } from "./json-form.js";
import { createPrettyForm } from "./pretty-form.js";
import { protobufForm } from "./protobuf-form.js";
import { utf8 } from "./text.js";

/** For clients that accept nothing a Status can be written in. */
const rawForm: StatusForm = {
  contentType: "application/json",
  status: (status) => utf8(JSON.stringify(status, null, 2)),
};

/** A failure is written in a form that the client can read, whatever else it asked for; never as a table or as metadata. */
export async function failureForm({ request, query }: RequestContext): Promise<StatusForm> {
  const accepted = {
    accept: request.header("accept"),
    pretty: query.has("pretty") ? query.text("pretty") : undefined,
    userAgent: request.header("user-agent"),
  };
  const output = findOutput(accepted);
  if (!output) return rawForm;
  if (output.mediaType === "application/vnd.kubernetes.protobuf") return protobufForm;
  if (output.mediaType === "application/yaml") return (await import("./yaml-form.js")).createYamlForm(jsonForm);
  return output.pretty || isPrettyRequest(accepted) ? createPrettyForm(jsonForm) : jsonForm;
}
