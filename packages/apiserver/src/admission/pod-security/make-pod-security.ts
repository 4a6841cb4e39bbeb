import type { Namespace } from "@coxswain/api/core/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { StoredPod } from "@coxswain/kinds/core/pod";
import type { Runtime } from "@coxswain/runtime";
import type { CacheFeed } from "../../cache/cache-feed.js";
import { createLister } from "../../cache/lister.js";
import { storedKind } from "../../catalogue/stored-kind.js";
import type { AdmissionPlugin } from "../admission.js";
import type { PluginConfiguration } from "../configuration/plugin-configuration.js";
import { readPodSecurityConfiguration } from "./configuration.js";
import { createPodSecurity } from "./pod-security.js";

export const makePodSecurity = (
  { feed, runtime }: { readonly feed: CacheFeed; readonly runtime: Runtime },
  configuration: PluginConfiguration | undefined,
): AdmissionPlugin =>
  createPodSecurity({
    namespaces: createLister<Namespace & KubernetesObject>(feed.cacheOf(storedKind("", "namespaces"))),
    pods: createLister<StoredPod>(feed.cacheOf(storedKind("", "pods"))),
    configuration: readPodSecurityConfiguration(configuration),
    now: () => runtime.clock.now(),
  });
