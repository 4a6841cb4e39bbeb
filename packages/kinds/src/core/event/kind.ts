import { builtInKind } from "../../built-in/built-in-kind.js";
import { eventColumns } from "./columns.js";
import { eventOfEventsGroup } from "./events-group.js";
import type { StoredEvent } from "./stored.js";
import { checkEvent, checkEventUpdate } from "./validation.js";

export type { StoredEvent };

export const eventKind = builtInKind<StoredEvent>("", "v1", "events", {
  strategy: {
    resetFields: [],
    validateCreate: checkEvent,
    validateUpdate: checkEventUpdate,
    allowCreateOnUpdate: true,
    garbageCollection: "unsupported",
  },
  views: {},
  columns: eventColumns,
  versions: [eventOfEventsGroup],
  selectableValues: ({ involvedObject: object, reason, reportingComponent, source, type }) => ({
    "involvedObject.kind": object.kind ?? "",
    "involvedObject.namespace": object.namespace ?? "",
    "involvedObject.name": object.name ?? "",
    "involvedObject.uid": object.uid ?? "",
    "involvedObject.apiVersion": object.apiVersion ?? "",
    "involvedObject.resourceVersion": object.resourceVersion ?? "",
    "involvedObject.fieldPath": object.fieldPath ?? "",
    reason: reason ?? "",
    reportingComponent: reportingComponent ?? "",
    source: source?.component || (reportingComponent ?? ""),
    type: type ?? "",
  }),
});
