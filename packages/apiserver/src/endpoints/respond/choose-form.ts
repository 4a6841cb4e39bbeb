import { fieldErrorText, fieldPath, invalid as invalidField } from "@coxswain/apimachinery/field";
import type { Output } from "@coxswain/apimachinery/negotiation";
import { badRequest } from "@coxswain/apimachinery/status";
import type { Clock } from "@coxswain/runtime/clock";
import type { Form } from "../../request/form.js";
import type { RequestContext } from "../../request/request-context.js";
import { jsonForm } from "./json-form.js";
import { createMetadataForm, type MetaVersion } from "./metadata-form.js";
import { negotiateOnce } from "./negotiate-once.js";
import { createPrettyForm } from "./pretty-form.js";
import { protobufForm } from "./protobuf-form.js";
import { createProtobufMetadataForm } from "./protobuf-metadata-form.js";
import { createRefusingForm } from "./refusing-form.js";
import { createTableForm, type IncludeObject } from "./table-form.js";
import type { MetadataShape } from "./wrong-shape.js";

/** The form a client wants its answer in; throws 406 when there is none. Chosen before anything is done. `custom`: objects that have no protobuf form. A promise for what is loaded first. */
export function chooseForm(context: RequestContext, clock: Clock, custom = false): Form | Promise<Form> {
  const output = negotiateOnce(context, custom);
  const form = formOf(output, context, clock);
  if (output.mediaType === "application/yaml")
    return import("./yaml-form.js").then(({ createYamlForm }) => createYamlForm(form));
  return output.pretty ? createPrettyForm(form) : form;
}

function formOf({ convert, mediaType }: Output, context: RequestContext, clock: Clock): Form {
  const isProtobuf = mediaType === "application/vnd.kubernetes.protobuf";
  if (!convert) return isProtobuf ? protobufForm : jsonForm;
  const apiVersion: MetaVersion = convert.version === "v1" ? "meta.k8s.io/v1" : "meta.k8s.io/v1beta1";
  if (convert.kind === "Table") return tableForm(apiVersion, context, clock);
  const shape = convert.kind as MetadataShape;
  return isProtobuf ? createProtobufMetadataForm(apiVersion, shape) : createMetadataForm(apiVersion, shape);
}

function tableForm(apiVersion: MetaVersion, { query }: RequestContext, clock: Clock): Form {
  const include = query.text("includeObject") || "Metadata";
  if (isIncludeObject(include)) return createTableForm(clock, { apiVersion, include });
  const error = invalidField(fieldPath("includeObject"), include, "must be 'Metadata', 'Object', 'None', or empty");
  return createRefusingForm(badRequest(`Unable to convert to Table as requested: ${fieldErrorText(error)}`));
}

const isIncludeObject = (text: string): text is IncludeObject =>
  text === "Metadata" || text === "Object" || text === "None";
