import type { DeepReadonly } from "@coxswain/api";
import type { EventSource, ObjectReference } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import { type FieldError, fieldPath, invalid, required } from "@coxswain/apimachinery/field";
import { equalJson } from "@coxswain/apimachinery/json";
import { checkDnsSubdomain, utf8Length } from "@coxswain/apimachinery/validation";
import { checkQualifiedNameAt } from "../../checks/field-errors.js";
import { checkImmutable } from "../../checks/immutable.js";
import { checkObjectMeta, checkObjectMetaUpdate } from "../../checks/object-meta.js";
import type { StrategyContext } from "../../definition/strategy.js";
import type { StoredEvent } from "./stored.js";

type ReadEvent = DeepReadonly<StoredEvent>;

const longest = { reportingInstance: 128, action: 128, reason: 128, message: 1024 };

/** Events of the core group came first and promise little; those of events.k8s.io are checked in full. */
const isOld = ({ apiVersion = "v1" }: StrategyContext): boolean => apiVersion === "v1";

export function checkEvent(event: ReadEvent, context: StrategyContext): FieldError[] {
  const errors = checkAlways(event, context);
  if (isOld(context)) return errors;
  const { metadata, type = "", eventTime, firstTimestamp, lastTimestamp, count, source } = event;
  append(errors, [...checkObjectMeta(metadata, { namespaced: true }), ...checkSeries(event)]);
  if (!eventTime) errors.push(required(fieldPath("eventTime")));
  if (type !== "Normal" && type !== "Warning")
    errors.push(invalid(fieldPath("type"), "", `has invalid value: ${type}`));
  const deprecated = { firstTimestamp, lastTimestamp, count, source: source?.component || source?.host };
  for (const [member, value] of Object.entries(deprecated))
    if (value) errors.push(invalid(fieldPath(member), "", "needs to be unset"));
  return errors;
}

/** Only the series may change. */
export function checkEventUpdate(next: ReadEvent, old: ReadEvent, context: StrategyContext): FieldError[] {
  const errors = checkAlways(next, context);
  if (isOld(context)) return errors;
  append(errors, checkObjectMetaUpdate(next.metadata, old.metadata));
  if (!equalJson(next.series, old.series)) append(errors, checkSeries(next));
  const same = (member: keyof ReadEvent & string, path: string, shown: (event: ReadEvent) => unknown): void =>
    void append(
      errors,
      checkImmutable(next[member] ?? undefined, old[member] ?? undefined, fieldPath(path), shown(next)),
    );
  same("involvedObject", "involvedObject", (event) => printedReference(event.involvedObject));
  same("reason", "reason", (event) => event.reason ?? "");
  same("message", "message", (event) => event.message ?? "");
  same("source", "source", (event) => printedSource(event.source));
  same("firstTimestamp", "firstTimestamp", (event) => event.firstTimestamp ?? null);
  same("lastTimestamp", "lastTimestamp", (event) => event.lastTimestamp ?? null);
  same("count", "count", (event) => event.count ?? 0);
  same("reason", "reason", (event) => event.reason ?? "");
  same("type", "type", (event) => event.type ?? "");
  same("eventTime", "eventTime", (event) => event.eventTime ?? null);
  same("action", "action", (event) => event.action ?? "");
  same("related", "related", (event) => (event.related ? printedReference(event.related) : null));
  same("reportingComponent", "reportingController", (event) => event.reportingComponent ?? "");
  same("reportingInstance", "reportingInstance", (event) => event.reportingInstance ?? "");
  return errors;
}

function checkSeries({ series }: ReadEvent): FieldError[] {
  if (!series) return [];
  return [
    ...((series.count ?? 0) < 2 ? [invalid(fieldPath("series.count"), "", "should be at least 2")] : []),
    ...(series.lastObservedTime ? [] : [required(fieldPath("series.lastObservedTime"))]),
  ];
}

function checkAlways(event: ReadEvent, context: StrategyContext): FieldError[] {
  const namespace = event.metadata.namespace ?? "";
  const errors = event.eventTime ? checkReport(event, context) : checkNamespaces(event, namespace);
  return [
    ...errors,
    ...checkDnsSubdomain(namespace).map((problem) => invalid(fieldPath("namespace"), namespace, problem)),
  ];
}

const namespaceDiffers = (given: string): FieldError =>
  invalid(fieldPath("involvedObject", "namespace"), given, "does not match event.namespace");

function checkNamespaces({ involvedObject: { namespace: given = "" } }: ReadEvent, namespace: string): FieldError[] {
  const fits = given === "" ? namespace === "" || namespace === "default" : namespace === given;
  return fits ? [] : [namespaceDiffers(given)];
}

/** An event with a time of its own names its reporter and a reason. */
function checkReport(event: ReadEvent, context: StrategyContext): FieldError[] {
  const { involvedObject, metadata, reportingComponent = "", message = "" } = event;
  const given = involvedObject.namespace ?? "";
  const errors: FieldError[] = [];
  if (given === "" && metadata.namespace !== "default" && metadata.namespace !== "kube-system")
    errors.push(namespaceDiffers(given));
  const reporter = fieldPath(isOld(context) ? "reportingComponent" : "reportingController");
  if (reportingComponent === "") errors.push(required(reporter));
  append(errors, checkQualifiedNameAt(reportingComponent, reporter));
  for (const member of ["reportingInstance", "action", "reason"] as const) {
    const text = event[member] ?? "";
    if (text === "") errors.push(required(fieldPath(member)));
    append(errors, checkLength(text, member));
  }
  return [...errors, ...checkLength(message, "message")];
}

const checkLength = (text: string, member: keyof typeof longest): FieldError[] =>
  utf8Length(text) > longest[member]
    ? [invalid(fieldPath(member), "", `can have at most ${longest[member]} characters`)]
    : [];

/** As Go prints its own form of a reference. */
const printedReference = (reference: DeepReadonly<ObjectReference>): unknown => ({
  Kind: reference.kind ?? "",
  Namespace: reference.namespace ?? "",
  Name: reference.name ?? "",
  UID: reference.uid ?? "",
  APIVersion: reference.apiVersion ?? "",
  ResourceVersion: reference.resourceVersion ?? "",
  FieldPath: reference.fieldPath ?? "",
});

const printedSource = (source: DeepReadonly<EventSource> | undefined): unknown => ({
  Component: source?.component ?? "",
  Host: source?.host ?? "",
});
