import { useEffect, useRef } from "preact/hooks";
import type { ObjectRef, ObjectState, ResourceInfo } from "../contract/messages.js";
import type { Place } from "../contract/paths.js";
import { ActionBar } from "./action-bar.js";
import { app } from "./app-state.js";
import { Button } from "./button.js";
import { lazyView } from "./lazy-view.js";
import { pluralTitle } from "./navigation.js";
import { ProblemBox } from "./problem-box.js";
import { keepLasting, param, setParams, tableHash } from "./route.js";
import { SummaryTab } from "./summary-tab.js";
import { useFeed } from "./use-feed.js";
import { YamlTab } from "./yaml-tab.js";

const ChangesTab = lazyView(async () => (await import("./changes-tab.js")).ChangesTab);
const LogsTab = lazyView(async () => (await import("./logs-tab.js")).LogsTab);
const TerminalTab = lazyView(async () => (await import("./terminal-tab.js")).TerminalTab);
const MapTab = lazyView(async () => (await import("./map-tab.js")).MapTab);
const WhyTab = lazyView(async () => (await import("./why-tab.js")).WhyTab);
const PortsTab = lazyView(async () => (await import("./ports-tab.js")).PortsTab);

const podOwners = new Set(["pods", "deployments", "replicasets", "statefulsets", "daemonsets", "jobs"]);

interface Tab {
  readonly id: string;
  readonly title: string;
  readonly isThere: boolean;
}

/** One object: what it is, what belongs to it, its YAML, logs, and past. */
export function ObjectView({ info, place }: { readonly info: ResourceInfo; readonly place: Place }) {
  const { group, version, resource } = info;
  const { namespace = "", name = "" } = place;
  const ref: ObjectRef = { group, version, resource, namespace, name };
  const at = param("at");
  const { state } = useFeed("object", { ref, at }, JSON.stringify(ref));
  const current = state.value;
  const tabs: Tab[] = [
    { id: "", title: "Summary", isThere: true },
    { id: "yaml", title: "YAML", isThere: true },
    { id: "logs", title: "Logs", isThere: podOwners.has(resource) && at === "" },
    {
      id: "terminal",
      title: "Terminal",
      isThere: resource === "pods" && group === "" && !app().cluster.readOnly && at === "",
    },
    {
      id: "ports",
      title: "Ports",
      isThere: resource === "pods" && group === "" && !app().cluster.readOnly && at === "",
    },
    { id: "map", title: "Map", isThere: at === "" },
    { id: "changes", title: "Changes", isThere: app().cluster.hasHistory },
    { id: "why", title: "Why", isThere: app().cluster.hasHistory && at === "" },
  ];
  const shown = tabs.filter(({ isThere }) => isThere);
  const tab = shown.find(({ id }) => id === param("tab"))?.id ?? "";
  return (
    <article class="object-view">
      <header class="object-head">
        <p class="crumbs">
          <a href={keepLasting(tableHash(info))}>{pluralTitle(info)}</a>
          {namespace !== "" && <span>{namespace}</span>}
        </p>
        <h1>{name}</h1>
        {current?.isGone && current.object && <span class="chip bad">deleted</span>}
        {current?.object?.metadata?.deletionTimestamp && !current.isGone && <span class="chip warn">terminating</span>}
        <ActionBar info={info} objectRef={ref} state={current} />
      </header>
      <Tabs tabs={shown} tab={tab} />
      {current?.problem && <ProblemBox problem={current.problem} />}
      <div id="panel" role="tabpanel" aria-labelledby={`tab-${tab}`} class="panel">
        <Panel tab={tab} info={info} objectRef={ref} state={current} />
      </div>
    </article>
  );
}

function Tabs({ tabs, tab }: { readonly tabs: readonly Tab[]; readonly tab: string }) {
  const list = useRef<HTMLDivElement>(null);
  // On a narrow page it may be outside of what is seen.
  useEffect(() => list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" }), [tab]);
  const move = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const next = tabs[tabs.findIndex(({ id }) => id === tab) + step];
    if (step === 0 || !next) return;
    setParams({ tab: next.id });
    document.getElementById(`tab-${next.id}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" onKeyDown={move} ref={list}>
      {tabs.map(({ id, title }) => (
        <Button
          key={id}
          id={`tab-${id}`}
          role="tab"
          aria-selected={id === tab}
          aria-controls="panel"
          tabIndex={id === tab ? 0 : -1}
          onClick={() => setParams({ tab: id })}
        >
          {title}
        </Button>
      ))}
    </div>
  );
}

interface PanelProps {
  readonly tab: string;
  readonly info: ResourceInfo;
  readonly objectRef: ObjectRef;
  readonly state: ObjectState | undefined;
}

function Panel({ tab, info, objectRef, state }: PanelProps) {
  if (!state) return <p class="muted">loading …</p>;
  const version = state.object?.metadata?.resourceVersion ?? "";
  if (tab === "changes")
    return <ChangesTab info={info} objectRef={objectRef} object={state.isGone ? undefined : state.object} />;
  if (tab === "why") return <WhyTab objectRef={objectRef} version={version} />;
  if (!state.object)
    return state.problem ? null : (
      <p class="empty">
        There is no such object.
        {app().cluster.hasHistory && (
          <>
            {" "}
            <Button onClick={() => setParams({ tab: "changes" })}>Look for it in the past</Button>
          </>
        )}
      </p>
    );
  switch (tab) {
    case "yaml":
      return <YamlTab info={info} objectRef={objectRef} state={state} />;
    case "logs":
      return <LogsTab objectRef={objectRef} object={state.object} />;
    case "terminal":
      return <TerminalTab objectRef={objectRef} object={state.object} />;
    case "map":
      return <MapTab objectRef={objectRef} object={state.object} />;
    case "ports":
      return <PortsTab objectRef={objectRef} object={state.object} />;
    default:
      return <SummaryTab info={info} objectRef={objectRef} object={state.object} />;
  }
}
