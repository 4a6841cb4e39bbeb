import type { FeatureGates, GateFacts } from "@coxswain/component/feature-gates";
import type { Metrics } from "@coxswain/runtime/metrics";
import type { CacheFeed } from "../../cache/cache-feed.js";
import type { VersionInfo } from "../../documents/version.js";

export interface ServerFacts {
  readonly feed: CacheFeed;
  readonly version: VersionInfo;
  readonly gates: FeatureGates;
  readonly knownGates: readonly GateFacts[];
}

/** What the server knows of itself without counting: looked up when somebody asks. */
export function addServerFacts(metrics: Metrics, { feed, version, gates, knownGates }: ServerFacts): void {
  addSizes(metrics, feed);
  addVersion(metrics, version);
  metrics.collectGauge(
    {
      name: "kubernetes_feature_enabled",
      help: "Whether a feature gate is on.",
      labels: ["name", "stage"],
      stability: "BETA",
    },
    (report) => {
      for (const { name, stage } of knownGates)
        report(gates.enabled(name) ? 1 : 0, name, stage === "GA" ? "" : stage.toUpperCase());
    },
  );
}

function addSizes(metrics: Metrics, feed: CacheFeed): void {
  const ofResource = ["group", "resource"];
  metrics.collectGauge(
    {
      name: "apiserver_storage_objects",
      help: "Objects in the store, by resource.",
      labels: ["resource"],
      stability: "STABLE",
    },
    (report) => {
      for (const { kind, size } of resources(feed))
        report(size, kind.group === "" ? kind.resource : `${kind.resource}.${kind.group}`);
    },
  );
  metrics.collectGauge(
    {
      name: "apiserver_resource_objects",
      help: "Objects in the store, by group and resource.",
      labels: ofResource,
      stability: "ALPHA",
    },
    (report) => {
      for (const { kind, size } of resources(feed)) report(size, kind.group, kind.resource);
    },
  );
  metrics.collectGauge(
    {
      name: "apiserver_watch_cache_resource_version",
      help: "The revision up to which a resource's watch cache holds everything.",
      labels: ofResource,
      stability: "ALPHA",
    },
    (report) => {
      for (const { kind, revision } of feed.caches()) report(revision, kind.group, kind.resource);
    },
  );
}

function addVersion(metrics: Metrics, version: VersionInfo): void {
  metrics.collectGauge(
    {
      name: "kubernetes_build_info",
      help: "The version of Kubernetes that is served, and what serves it.",
      labels: [
        "major",
        "minor",
        "git_version",
        "git_commit",
        "git_tree_state",
        "build_date",
        "go_version",
        "compiler",
        "platform",
      ],
      stability: "BETA",
    },
    (report) =>
      report(
        1,
        version.major,
        version.minor,
        version.gitVersion,
        version.gitCommit,
        version.gitTreeState,
        version.buildDate,
        version.goVersion,
        version.compiler,
        version.platform,
      ),
  );
  metrics.collectGauge(
    {
      name: "version_info",
      help: "The versions of a component: its own, the one it emulates, the oldest it is compatible with.",
      labels: ["component", "binary", "emulation", "min_compat"],
      stability: "ALPHA",
    },
    (report) =>
      report(
        1,
        "kube",
        version.gitVersion.replace(/^v/, ""),
        `${version.emulationMajor}.${version.emulationMinor}`,
        `${version.minCompatibilityMajor}.${version.minCompatibilityMinor}`,
      ),
  );
}

function* resources(feed: CacheFeed): Iterable<{ kind: { group: string; resource: string }; size: number }> {
  for (const cache of feed.caches()) yield { kind: cache.kind, size: cache.snapshot().size };
}
