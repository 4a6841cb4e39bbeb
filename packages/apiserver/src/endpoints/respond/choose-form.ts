import type { Clock } from "@coxswain/apimachinery/clock";
import { fieldPath, invalid as invalidField } from "@coxswain/apimachinery/field";
import { negotiateOutput, negotiateStream, type Output, type OutputOptions, resourceRestrictions, servedMediaTypes } from "@coxswain/apimachinery/negotiation";
import { invalid } from "@coxswain/apimachinery/status";
import type { RequestContext } from "../request-context.js";
import type { Form } from "./form.js";
import { jsonForm } from "./json-form.js";
import { createMetadataForm } from "./metadata-form.js";
import { createPrettyForm } from "./pretty-form.js";
import { createTableForm, type IncludeObject, type TableVersion } from "./table-form.js";

/** YAML and protobuf join when their codecs do. */
const options: OutputOptions = { served: servedMediaTypes.filter(({ name }) => name === "application/json"), restrictions: resourceRestrictions({ tables: true }) };

/** The form a client wants its answer in; throws 406 when there is none. Chosen before anything is done. */
export function chooseForm(context: RequestContext, clock: Clock): Form {
  const { request, query, info } = context;
  const wish = { accept: request.header("accept"), pretty: query.has("pretty") ? query.text("pretty") : undefined, userAgent: request.header("user-agent") };
  const output = info.verb === "watch" ? negotiateStream(wish, options) : negotiateOutput(wish, options);
  const form = formOf(output, context, clock);
  return output.pretty ? createPrettyForm(form) : form;
}

function formOf({ convert }: Output, context: RequestContext, clock: Clock): Form {
  if (!convert) return jsonForm;
  const apiVersion = convert.version === "v1" ? "meta.k8s.io/v1" : ("meta.k8s.io/v1beta1" satisfies TableVersion);
  return convert.kind === "Table" ? createTableForm(clock, { apiVersion, include: includeObject(context) }) : createMetadataForm(apiVersion);
}

function includeObject({ query }: RequestContext): IncludeObject {
  const wish = query.text("includeObject") || "Metadata";
  if (wish !== "Metadata" && wish !== "Object" && wish !== "None") {
    const error = invalidField(fieldPath("includeObject"), wish, "must be 'Metadata', 'Object', 'None', or empty");
    throw invalid({ group: "meta.k8s.io", kind: "TableOptions" }, "", [error]);
  }
  return wish;
}
