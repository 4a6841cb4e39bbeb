import type { Event } from "@coxswain/api/core/v1";
import { walk } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { formatMicroTime } from "@coxswain/apimachinery/time";
import { checkDnsSubdomain } from "@coxswain/apimachinery/validation";
import { randomUuid } from "@coxswain/runtime/random";
import { noAdmission } from "../../admission/admission.js";
import { storedKind } from "../../catalogue/stored-kind.js";
import { findVersionKind } from "../../catalogue/version-kind.js";
import type { ObjectDeps } from "../../objects/object-deps.js";
import { serverScope } from "../../objects/server-scope.js";
import { updateObject } from "../../objects/update.js";

/** After this time a repeated event becomes a new Event rather than a count. */
const sameForMs = 6 * 60_000;

/** The text of an event: the words that scripts look for, and those for people. */
export interface EventText {
  readonly reason: string;
  readonly action: string;
  readonly note: string;
}

/** Warnings that the server itself writes about objects, as a client's event recorder would. */
export interface ServerEvents {
  warn(about: KubernetesObject, text: EventText): Promise<void>;
}

interface SentEvent {
  readonly name: string;
  readonly namespace: string;
  lastMs: number;
  count: number;
}

/** `controller`: the part of the server that reports. An event that is repeated within six minutes is counted in a series of the same Event. */
export function createServerEvents(
  deps: ObjectDeps,
  { controller, hostname }: { readonly controller: string; readonly hostname: string },
): ServerEvents {
  const kind = storedKind("", "events");
  const inner = { ...deps, admission: noAdmission };
  const sentEvents = new Map<string, SentEvent>();
  const version = findVersionKind(kind, { group: "events.k8s.io", version: "v1" });

  const write = (
    { namespace, name }: SentEvent,
    next: (current: KubernetesObject | undefined) => KubernetesObject,
  ): Promise<unknown> =>
    updateObject(
      inner,
      { ...serverScope(kind, { namespace, name }), ...(version && { version }) },
      { forceCreate: true, next: (current) => Promise.resolve(walk(next(current), kind.schema) as KubernetesObject) },
    );

  return {
    async warn({ apiVersion = "", kind: aboutKind = "", metadata }, { reason, action, note }) {
      const now = deps.runtime.clock.now();
      for (const [key, { lastMs }] of sentEvents) if (now - lastMs > sameForMs) sentEvents.delete(key);
      const involvedObject = {
        apiVersion,
        kind: aboutKind,
        namespace: metadata.namespace,
        name: metadata.name,
        uid: metadata.uid,
        resourceVersion: metadata.resourceVersion,
      };
      const key = JSON.stringify([reason, action, { ...involvedObject, resourceVersion: "" }]);
      const before = sentEvents.get(key);
      const event: SentEvent = before ?? {
        namespace: metadata.namespace || "default",
        name: eventName(deps, metadata.name ?? "", now),
        lastMs: now,
        count: 0,
      };
      event.count++;
      event.lastMs = now;
      sentEvents.set(key, event);
      const first = {
        apiVersion: "v1",
        kind: "Event",
        metadata: { namespace: event.namespace, name: event.name },
        involvedObject,
        reason,
        action,
        message: note,
        type: "Warning",
        eventTime: formatMicroTime(now),
        reportingComponent: controller,
        reportingInstance: `${controller}-${hostname}`,
        source: {},
      };
      await write(
        event,
        (current) =>
          ({
            ...(current ?? first),
            ...(current && { series: { count: event.count, lastObservedTime: formatMicroTime(now) } }),
          }) as Event & KubernetesObject,
      );
    },
  };
}

/** With the time in nanoseconds, so that the next of the same object has another; an IPv6 address is no name. */
export function eventName({ runtime }: Pick<ObjectDeps, "runtime">, about: string, nowMs: number): string {
  const name = `${about}.${(BigInt(Math.trunc(nowMs)) * 1_000_000n).toString(16)}`;
  return checkDnsSubdomain(name).length === 0 ? name : randomUuid(runtime.random);
}
