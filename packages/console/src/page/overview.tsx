import type { OverviewState } from "../contract/messages.js";
import { toneOf } from "../contract/tone.js";
import { app, infoOf } from "./app-state.js";
import { Events } from "./events.js";
import { NodeBars } from "./node-bars.js";
import { ProblemBox } from "./problem-box.js";
import { keepLasting, objectHash, param, tableHash } from "./route.js";
import { useFeed } from "./use-feed.js";

const workloadGroups: Readonly<Record<string, string>> = {
  deployments: "apps",
  statefulsets: "apps",
  daemonsets: "apps",
  jobs: "batch",
};

/** The cluster at a glance: is anything wrong, and where. */
export function Overview() {
  const { state } = useFeed("overview", { namespace: param("ns") }, "overview");
  const overview = state.value;
  const { cluster } = app();
  return (
    <section class="overview" aria-label="Overview">
      <div class="toolbar">
        <h1>{cluster.cluster}</h1>
        <span class="muted">Kubernetes {cluster.serverVersion}</span>
      </div>
      {overview?.problem && <ProblemBox problem={overview.problem} />}
      {!overview ? <p class="muted">loading …</p> : <Cards overview={overview} />}
    </section>
  );
}

function Cards({ overview }: { readonly overview: OverviewState }) {
  const pods = Object.entries(overview.pods).sort(([, a], [, b]) => b - a);
  return (
    <div class="cards">
      <section class="card">
        <h2>Pods</h2>
        <ul class="counts">
          {pods.map(([status, count]) => (
            <li key={status}>
              <a
                href={keepLasting(
                  tableHash({ group: "", version: "v1", resource: "pods" }, { filter: `status=${status}` }),
                )}
              >
                <strong>{count.toLocaleString("en")}</strong>{" "}
                <span class={`tone-${toneOf(status)}`}>{status || "no status"}</span>
              </a>
            </li>
          ))}
          {pods.length === 0 && <li class="muted">{overview.isLoading ? "loading …" : "There are none."}</li>}
        </ul>
      </section>
      <section class="card">
        <h2>Workloads</h2>
        <ul class="counts">
          {overview.workloads.map(({ kind, resource, total, unready }) => (
            <WorkloadLine key={kind} {...{ kind, resource, total, unready }} />
          ))}
        </ul>
      </section>
      <section class="card wide">
        <h2>
          <a href={keepLasting("#/nodes")}>Nodes</a>
        </h2>
        <NodeBars nodes={overview.nodes.slice(0, 12)} />
        {overview.nodes.length > 12 && <p class="muted">and {overview.nodes.length - 12} more</p>}
      </section>
      <section class="card wide">
        <h2>Warnings</h2>
        <Events lines={overview.warnings} isLoading={overview.isLoading} />
      </section>
    </div>
  );
}

function WorkloadLine({ kind, resource, total, unready }: OverviewState["workloads"][number]) {
  const info = infoOf({ group: workloadGroups[resource] ?? "", resource });
  if (!info) return null;
  const place = (name: string) => {
    const [namespace = "", short = ""] = name.split("/");
    return objectHash({ ...info, namespace, name: short });
  };
  return (
    <li>
      <a href={keepLasting(tableHash(info))}>
        <strong>{total.toLocaleString("en")}</strong> {kind}
        {total === 1 ? "" : "s"}
      </a>
      {unready.slice(0, 3).map((name) => (
        <a key={name} class="tone-warn unready" href={keepLasting(place(name))} title={`${name} is not ready`}>
          {name}
        </a>
      ))}
      {unready.length > 3 && <span class="muted"> and {unready.length - 3} more not ready</span>}
    </li>
  );
}
