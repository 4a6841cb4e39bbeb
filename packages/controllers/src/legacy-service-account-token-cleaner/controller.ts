import { podReferences } from "@coxswain/api/pods";
import { getOwn } from "@coxswain/apimachinery/own";
import { isConflict, isNotFound } from "@coxswain/apimachinery/status";
import { namespaceIndex } from "@coxswain/client/informers";
import type { Controller } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import type { CachedPod } from "../pods/pod-state.js";
import { accountOf } from "../service-account-token/plan.js";
import { invalidSinceLabel, isTrackedLongEnough, planToken } from "./plan.js";

const day = 86_400_000;
const defaultPeriodMs = 365 * day;
/** The one key: all tokens are looked at together. */
const everything = "tokens";

/** Deletes generated tokens of service accounts that nobody has used for a year; first they are marked as invalid. */
export const legacyServiceAccountTokenCleanerController: Controller = {
  name: "legacy-serviceaccount-token-cleaner-controller",
  aliases: ["legacy-service-account-token-cleaner"],
  serviceAccount: "legacy-service-account-token-cleaner",
  start(context) {
    const { client, informers, settings } = context;
    const { clock, log } = context.runtime;
    const secrets = informers.of("core", "v1", "secrets");
    const accounts = informers.of("core", "v1", "serviceaccounts");
    const pods = informers.of("core", "v1", "pods");
    const periodMs = settings.legacyTokenCleanUpPeriodMs ?? defaultPeriodMs;
    const loop = createReconcileLoop(context, {
      name: "legacy_serviceaccount_token_cleaner",
      workers: 1,
      async reconcile() {
        const tracking = await client.core.v1
          .configmaps("kube-system")
          .get("kube-apiserver-legacy-service-account-token-tracking");
        const nowMs = clock.now();
        const since = getOwn(tracking.data, "since");
        if (isTrackedLongEnough(since, { nowMs, periodMs })) await clean(nowMs);
        return { requeueAfterMs: day };
      },
    });
    loop.queue.add(everything);

    async function clean(nowMs: number): Promise<void> {
      const mounted = new Map<string, Set<string>>();
      const mountedIn = (namespace: string): Set<string> => {
        const names =
          mounted.get(namespace) ?? new Set(pods.indexer.byIndex(namespaceIndex, namespace).flatMap(secretsOf));
        mounted.set(namespace, names);
        return names;
      };
      for (const secret of secrets.indexer.list()) {
        const { name = "", namespace = "", uid = "", resourceVersion = "" } = secret.metadata ?? {};
        const plan = planToken(secret, {
          account: accounts.indexer.getByKey(`${namespace}/${accountOf(secret).name}`),
          isMounted: () => mountedIn(namespace).has(name),
          nowMs,
          periodMs,
        });
        const objects = client.core.v1.secrets(namespace);
        const labels = plan.kind === "invalidate" ? { [invalidSinceLabel]: plan.since } : undefined;
        const work =
          plan.kind === "delete"
            ? objects.delete(name, { preconditions: { resourceVersion } })
            : labels && objects.patch(name, { merge: { metadata: { uid, labels } } });
        // One token must not keep the others; the next day tries again.
        await work?.catch((error: unknown) => {
          if (!isConflict(error) && !isNotFound(error))
            log.warn("an unused token was not removed", { secret: `${namespace}/${name}`, error });
        });
      }
    }
    return loop;
  },
};

const secretsOf = (pod: CachedPod): string[] =>
  podReferences(pod).flatMap(({ type, name }) => (type === "secret" ? [name] : []));
