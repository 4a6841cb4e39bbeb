import { fieldErrorText, fieldPath, invalid as invalidField } from "@coxswain/apimachinery/field";
import type { Output } from "@coxswain/apimachinery/negotiation";
import { badRequest } from "@coxswain/apimachinery/status";
import type { Clock } from "@coxswain/runtime/clock";
import type { Form } from "../../request/form.js";
import type { RequestContext } from "../../request/request-context.js";
import { createDroppingForm, dropsManagedFields } from "./dropping-form.js";
import { jsonForm } from "./json-form.js";
import { createMetadataForm, type MetaVersion } from "./metadata-form.js";
import { negotiateOnce } from "./negotiate-once.js";
import { createPrettyForm } from "./pretty-form.js";
import { protobufForm } from "./protobuf-form.js";
import { createProtobufMetadataForm } from "./protobuf-metadata-form.js";
import { createRefusingForm } from "./refusing-form.js";
import { createTableForm, type IncludeObject } from "./table-form.js";
import type { MetadataShape } from "./wrong-shape.js";

export interface FormOptions {
  /** Objects that have no protobuf form. @default false */
  readonly custom?: boolean;
  /** Clients may ask for answers without managed fields: the gate `ManagedFieldsOptOut`. @default false */
  readonly canDrop?: boolean;
}

/** The form a client wants its answer in; throws 406 when there is none. Chosen before anything is done. A promise for what is loaded first. */
export function chooseForm(
  context: RequestContext,
  clock: Clock,
  { custom = false, canDrop = false }: FormOptions = {},
): Form | Promise<Form> {
  const output = negotiateOnce(context, custom);
  const drops =
    canDrop && output.mediaType === "application/json" && dropsManagedFields(context.request.header("accept"));
  const form = formOf(output, context, clock, drops);
  if (output.mediaType === "application/yaml")
    return import("./yaml-form.js").then(({ createYamlForm }) => createYamlForm(form));
  return output.pretty ? createPrettyForm(form) : form;
}

function formOf({ convert, mediaType }: Output, context: RequestContext, clock: Clock, drops: boolean): Form {
  const isProtobuf = mediaType === "application/vnd.kubernetes.protobuf";
  if (!convert) return isProtobuf ? protobufForm : drops ? createDroppingForm(jsonForm) : jsonForm;
  const apiVersion: MetaVersion = convert.version === "v1" ? "meta.k8s.io/v1" : "meta.k8s.io/v1beta1";
  if (convert.kind === "Table") return tableForm(apiVersion, context, clock, drops);
  const shape = convert.kind as MetadataShape;
  if (isProtobuf) return createProtobufMetadataForm(apiVersion, shape);
  const form = createMetadataForm(apiVersion, shape);
  return drops ? createDroppingForm(form) : form;
}

function tableForm(apiVersion: MetaVersion, { query }: RequestContext, clock: Clock, drops: boolean): Form {
  const include = query.text("includeObject") || "Metadata";
  if (isIncludeObject(include)) return createTableForm(clock, { apiVersion, include, drops });
  const error = invalidField(fieldPath("includeObject"), include, "must be 'Metadata', 'Object', 'None', or empty");
  return createRefusingForm(badRequest(`Unable to convert to Table as requested: ${fieldErrorText(error)}`));
}

const isIncludeObject = (text: string): text is IncludeObject =>
  text === "Metadata" || text === "Object" || text === "None";
