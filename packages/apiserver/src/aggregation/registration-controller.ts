import { runtimeFrom } from "@coxswain/runtime";
import type { CustomResourceDefinition } from "@coxswain/api/apiextensions/v1";
import { walk } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { hasReason } from "@coxswain/apimachinery/status";
import { createRateLimitingQueue, runWorkers } from "@coxswain/client/queue";
import type { Logger } from "@coxswain/runtime/log";
import { noAdmission } from "../admission/admission.js";
import { createLister } from "../cache/lister.js";
import { parseEntry } from "../cache/parse-entry.js";
import { objectKey } from "../cache/object-key.js";
import { storedKind } from "../catalogue/stored-kind.js";
import { customResourcePriority } from "../documents/discovery/group-versions.js";
import { createObject } from "../objects/create.js";
import { deleteObject } from "../objects/delete.js";
import type { ObjectDeps } from "../objects/object-deps.js";
import { updateObject } from "../objects/update.js";
import { followEntries } from "../controllers/follow-entries.js";
import { ignoreGone } from "../controllers/ignore-gone.js";
import { serverScope } from "../objects/server-scope.js";
import { type ApiService, apiServiceName } from "./api-service.js";
import { managedLabel, planRegistration, specOf, type WantedService } from "./plan-registration.js";
import type { RegisteredServices } from "./registered-services.js";

export interface RegistrationDeps {
  readonly objects: ObjectDeps;
  readonly registered: RegisteredServices;
  /** Of the built-in group-versions that are served. */
  readonly builtIn: readonly WantedService[];
  readonly log: Logger;
}

/** Keeps an APIService for every group-version that the server serves itself: those of built-in kinds at its start, those of custom resources all the time. */
export function keepRegistered({ objects, registered, builtIn, log }: RegistrationDeps): { stop(): Promise<void> } {
  const kind = storedKind("apiregistration.k8s.io", "apiservices");
  const definitionKind = storedKind("apiextensions.k8s.io", "customresourcedefinitions");
  const { feed, clock } = objects;
  const inner: ObjectDeps = { ...objects, admission: noAdmission };
  const lister = createLister<ApiService>(feed.cacheOf(kind), "last known");
  const definitions = feed.cacheOf(definitionKind);
  const wanted = new Map(builtIn.map((each) => [apiServiceName(each), each]));
  /** Which definitions serve a group-version, by the name of its APIService. */
  const servedBy = new Map<string, Set<string>>();
  /** The APIServices of a definition. */
  const namesOf = new Map<string, readonly string[]>();
  const atStart = new Set(registered.ranked().map(apiServiceName));
  const synced = new Set<string>();
  const runtime = runtimeFrom({ clock });
  const queue = createRateLimitingQueue<string>({ runtime });
  const stopping = new AbortController();

  function definitionChanged(name: string): void {
    const entry = definitions.lastKnown(objectKey(definitionKind, "", name));
    const definition = entry && (parseEntry(entry) as CustomResourceDefinition);
    const before = namesOf.get(name) ?? [];
    const versions = definition?.spec.versions.filter(({ served }) => served) ?? [];
    const after = versions.map(({ name: version }) => apiServiceName({ group: definition?.spec.group ?? "", version }));
    if (after.length > 0) namesOf.set(name, after);
    else namesOf.delete(name);
    for (const each of before) if (!after.includes(each)) remove(each, name);
    for (const each of after) if (!before.includes(each)) add(each, name, definition?.spec.group ?? "");
  }

  function add(service: string, definition: string, group: string): void {
    const by = servedBy.get(service);
    if (by) return void by.add(definition);
    servedBy.set(service, new Set([definition]));
    const version = service.slice(0, service.indexOf("."));
    if (!wanted.has(service)) wanted.set(service, { group, version, ...customResourcePriority, managed: "true" });
    queue.add(service);
  }

  function remove(service: string, definition: string): void {
    const by = servedBy.get(service);
    by?.delete(definition);
    if (!by || by.size > 0) return;
    servedBy.delete(service);
    if (wanted.get(service)?.managed === "true") wanted.delete(service);
    queue.add(service);
  }

  async function sync(name: string): Promise<void> {
    const current = lister.get(objectKey(kind, "", name));
    const want = wanted.get(name);
    const plan = planRegistration({
      wanted: want,
      current,
      isSynced: synced.has(name),
      wasThereAtStart: atStart.has(name),
    });
    const scope = serverScope(kind, { name });
    if (plan === "create" && want) await createObject(inner, serverScope(kind), made(want)).catch(ignoreExisting);
    if (plan === "update" && want)
      await updateObject(inner, scope, {
        next: (live = made(want)) => Promise.resolve({ ...live, spec: specOf(want) } as KubernetesObject),
      }).catch(ignoreGone);
    if (plan === "delete")
      await deleteObject(inner, scope, { preconditions: { uid: current?.metadata.uid ?? "" } }).catch(ignoreGone);
    synced.add(name);
  }

  const made = (want: WantedService): KubernetesObject =>
    walk(
      {
        apiVersion: "apiregistration.k8s.io/v1",
        kind: "APIService",
        metadata: { name: apiServiceName(want), labels: { [managedLabel]: want.managed } },
        spec: specOf(want),
      },
      kind.schema,
    ) as KubernetesObject;

  const follower = followEntries(feed, definitionKind, ({ name }) => definitionChanged(name));
  for (const name of new Set([...wanted.keys(), ...atStart])) queue.add(name);
  const unsubscribe = registered.onChange((name) => queue.add(name));
  const running = runWorkers({
    queue,
    runtime,
    work: sync,
    workers: 5,
    signal: stopping.signal,
    onError: (error, name) => log.warn("an APIService could not be kept", { name, error }),
  });
  return {
    async stop() {
      stopping.abort();
      follower.stop();
      unsubscribe();
      await running;
    },
  };
}

/** It was made in the meantime: its change is seen to next. */
function ignoreExisting(err: unknown): void {
  if (!hasReason(err, "AlreadyExists")) throw err;
}
