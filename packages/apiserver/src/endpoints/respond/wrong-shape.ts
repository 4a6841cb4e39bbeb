import { StatusError } from "@coxswain/apimachinery/status";
import type { AnyKind } from "@coxswain/kinds";
import type { EventForm } from "../../request/form.js";
import { internalTypeName } from "../decode/go-type.js";

/** What a client asked to have instead of the object or the list itself. */
export type MetadataShape = "PartialObjectMetadata" | "PartialObjectMetadataList";

/** 406: the metadata of one object was asked for where there is a list. */
export const isList = (kind: AnyKind): StatusError =>
  notAcceptable(
    `you requested PartialObjectMetadata, but the requested object is a list (*${internalTypeName(kind, kind.listKind)})`,
  );

/** 406: and the other way round. */
export const isNoList = (kind: AnyKind): StatusError =>
  notAcceptable(
    `you requested PartialObjectMetadataList, but the requested object is not a list (*${internalTypeName(kind, kind.kind)})`,
  );

const nothing = new Uint8Array(0);

/** The events of a watch are no lists, so none of them can be written: the client sees nothing but errors. */
export const silentStream = (stream: EventForm): EventForm => ({
  ...stream,
  shared: undefined,
  event: () => nothing,
  bookmark: () => nothing,
});

const notAcceptable = (message: string): StatusError =>
  new StatusError({ code: 406, reason: "NotAcceptable", message });
