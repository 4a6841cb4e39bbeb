import type { CustomResourceDefinition } from "@coxswain/api/apiextensions/v1";
import { walk } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { hasReason } from "@coxswain/apimachinery/status";
import { createLister } from "../cache/lister.js";
import { objectKey } from "../cache/object-key.js";
import { parseEntry } from "../cache/parse-entry.js";
import { storedKind } from "../catalogue/stored-kind.js";
import { type Controller, createController } from "../controllers/controller.js";
import type { ControllerContext } from "../controllers/controller-context.js";
import { ignoreGone } from "../controllers/ignore-gone.js";
import { createObject } from "../objects/create.js";
import { deleteObject } from "../objects/delete.js";
import { serverScope } from "../objects/server-scope.js";
import { updateObject } from "../objects/update.js";
import { type ApiService, apiServiceName } from "./api-service.js";
import { managedLabel, planRegistration, specOf, type WantedService } from "./plan-registration.js";
import type { RegisteredServices } from "./registered-services.js";
import { WantedServices } from "./wanted-services.js";

const kind = storedKind("apiregistration.k8s.io", "apiservices");
const definitionKind = storedKind("apiextensions.k8s.io", "customresourcedefinitions");

export interface RegistrationDeps {
  readonly registered: RegisteredServices;
  /** Of the built-in group-versions that are served. */
  readonly builtIn: readonly WantedService[];
}

/** Maintains an APIService for every group-version that the server serves itself: those of built-in kinds at its start, those of custom resources all the time. */
export function createRegistrationController(
  context: ControllerContext,
  { registered, builtIn }: RegistrationDeps,
): Controller {
  const { objects } = context;
  const lister = createLister<ApiService>(objects.feed.cacheOf(kind), "last known");
  const definitions = objects.feed.cacheOf(definitionKind);
  const wanted = new WantedServices(builtIn);
  const atStart = new Set(registered.ranked().map(apiServiceName));
  const synced = new Set<string>();

  async function reconcile(name: string): Promise<void> {
    const current = lister.get(objectKey(kind, "", name));
    const want = wanted.get(name);
    const plan = planRegistration({
      wanted: want,
      current,
      isSynced: synced.has(name),
      wasThereAtStart: atStart.has(name),
    });
    const scope = serverScope(kind, { name });
    if (plan === "create" && want) await createObject(objects, serverScope(kind), made(want)).catch(ignoreExisting);
    if (plan === "update" && want)
      await updateObject(objects, scope, {
        next: (live = made(want)) => ({ ...live, spec: specOf(want) }) as KubernetesObject,
      }).catch(ignoreGone);
    if (plan === "delete")
      await deleteObject(objects, scope, { preconditions: { uid: current?.metadata.uid ?? "" } }).catch(ignoreGone);
    synced.add(name);
  }

  const controller = createController(context, {
    name: "api-service-registration",
    failure: "an APIService was not brought up to date",
    workers: 5,
    watched: [
      { kind, keysOf: ({ name }) => [name] },
      {
        kind: definitionKind,
        keysOf({ name, key }) {
          const entry = definitions.lastKnown(key);
          return wanted.definitionChanged(name, entry && (parseEntry(entry) as CustomResourceDefinition));
        },
      },
    ],
    reconcile,
  });
  for (const name of wanted.names()) controller.queue.add(name);
  return controller;
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

/** It was made in the meantime: its change is seen to next. */
function ignoreExisting(err: unknown): void {
  if (!hasReason(err, "AlreadyExists")) throw err;
}
