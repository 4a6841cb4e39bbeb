import type { Event } from "@coxswain/api/events/v1";
import type { Client } from "@coxswain/client";
import { createEventSink, createSeriesEventBroadcaster, type SeriesEventRecorder } from "@coxswain/client/events";
import type { Runtime } from "@coxswain/runtime";
import { type Pod, schedulerNameOf } from "../pod/objects.js";
import type { PodEvent } from "../schedule/scheduler-core.js";

/** Events about pods, each in the name of the pod's scheduler. */
export interface PodEvents {
  readonly record: (pod: Pod, event: PodEvent) => void;
  stop(): Promise<void>;
}

export interface PodEventsOptions {
  readonly client: Client;
  readonly runtime: Runtime;
  /** "": it is not named. */
  readonly hostname: string;
}

export function createPodEvents({ client, runtime, hostname }: PodEventsOptions): PodEvents {
  const broadcaster = createSeriesEventBroadcaster({
    sink: createEventSink<Event>((namespace) => client.events.v1.events(namespace)),
    runtime,
    onError: (error) => runtime.log.debug("an event was not recorded", { error }),
  });
  const record = recordTo((schedulerName) =>
    broadcaster.recorder({
      reportingController: schedulerName,
      reportingInstance: hostname === "" ? schedulerName : `${schedulerName}-${hostname}`,
    }),
  );
  return { record, stop: () => broadcaster.stop() };
}

function recordTo(recorderFor: (schedulerName: string) => SeriesEventRecorder): (pod: Pod, event: PodEvent) => void {
  const recorders = new Map<string, SeriesEventRecorder>();
  const referable = (pod: Pod) =>
    ({ ...pod, kind: "Pod", apiVersion: "v1" }) as Parameters<SeriesEventRecorder["event"]>[0];
  return (pod, { related, ...event }) => {
    const name = schedulerNameOf(pod);
    const recorder = recorders.get(name) ?? recorderFor(name);
    recorders.set(name, recorder);
    recorder.event(referable(pod), { ...event, ...(related && { related: referable(related) }) });
  };
}
