import type { Namespace, Service } from "@coxswain/api/core/v1";
import type { EndpointSlice } from "@coxswain/api/discovery/v1";
import type { Client } from "@coxswain/client";
import { createSharedInformer } from "@coxswain/client/informers";
import type { Runtime } from "@coxswain/runtime";
import { readService, readSlice } from "./read-records.js";
import { createRecordIndex, type RecordIndex } from "./record-index.js";

export interface WatchedRecords {
  readonly records: RecordIndex;
  /** Resolves once everything was read; `records.isComplete` then. */
  readonly ready: Promise<void>;
  stop(): Promise<void>;
}

/** Keeps records equal to the cluster's Namespaces, Services and EndpointSlices. */
export function watchRecords(runtime: Runtime, client: Client): WatchedRecords {
  const records = createRecordIndex(runtime.clock);
  const onError = (error: unknown): void =>
    runtime.log.debug("reading the cluster failed and is tried again", { error });
  const namespaces = createSharedInformer<Namespace>({ listerWatcher: client.core.v1.namespaces(), runtime, onError });
  const services = createSharedInformer<Service>({ listerWatcher: client.core.v1.services(), runtime, onError });
  const slices = createSharedInformer<EndpointSlice>({
    listerWatcher: client.discovery.v1.endpointslices(),
    runtime,
    onError,
  });
  const registrations = [
    namespaces.addHandler({
      onAdd: ({ metadata }) => records.addNamespace(metadata?.name ?? ""),
      onDelete: ({ metadata }) => records.removeNamespace(metadata?.name ?? ""),
    }),
    services.addHandler({
      onAdd: (service) => records.setService(readService(service)),
      onUpdate: (_, service) => records.setService(readService(service)),
      onDelete: ({ metadata }) => records.removeService(metadata?.namespace ?? "", metadata?.name ?? ""),
    }),
    slices.addHandler({
      onAdd: (slice) => setSlice(records, slice),
      onUpdate: (_, slice) => setSlice(records, slice),
      onDelete: ({ metadata }) => records.removeSlice(metadata?.namespace ?? "", metadata?.name ?? ""),
    }),
  ];
  const all = [namespaces, services, slices];
  for (const informer of all) informer.start();
  const ready = Promise.all(registrations.map((registration) => registration.whenSynced())).then(() => {
    records.isComplete = true;
  });
  ready.catch(() => {}); // stopped before: an error for those who wait for it, and nobody else
  return {
    records,
    ready,
    async stop() {
      await Promise.all(all.map((informer) => informer.stop()));
    },
  };
}

function setSlice(records: RecordIndex, slice: Parameters<typeof readSlice>[0]): void {
  const record = readSlice(slice);
  if (record) records.setSlice(record);
  else records.removeSlice(slice.metadata?.namespace ?? "", slice.metadata?.name ?? "");
}
