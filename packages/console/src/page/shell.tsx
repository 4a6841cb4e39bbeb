import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { app, infoOf, notice, seeAs } from "./app-state.js";
import { Dialogs } from "./dialogs.js";
import { shellKeys } from "./keys.js";
import { lazyView } from "./lazy-view.js";
import { navigationOf, pluralTitle } from "./navigation.js";
import { Overview } from "./overview.js";
import { Palette } from "./palette.js";
import { address, here, keepLasting, tableHash } from "./route.js";
import { TableView } from "./table-view.js";
import { TopBar } from "./top-bar.js";

/** Bar, list of kinds, and the view that the address names. */
export function Shell() {
  const isMenuOpen = useSignal(false);
  useEffect(() => {
    addEventListener("keydown", shellKeys);
    return () => removeEventListener("keydown", shellKeys);
  }, []);
  // The same elements each time: a view that changes its parameters does not draw them again.
  const fixed = useMemo(() => [<TopBar onMenu={() => (isMenuOpen.value = !isMenuOpen.value)} />, <Navigation />], []);
  const { route, params } = address.value;
  useEffect(() => void (isMenuOpen.value = false), [address.value]);
  return (
    <div class={`shell${isMenuOpen.value ? " menu-open" : ""}`}>
      <a class="skip" href="#main" onClick={focusMain}>
        Skip to content
      </a>
      {fixed}
      <main id="main" tabIndex={-1}>
        {app().worker.connection.value === "lost" && (
          <p class="banner bad" role="status">
            The console's process does not answer; trying again.
          </p>
        )}
        <View key={viewKey(route, params.get("ns") ?? "")} />
      </main>
      <Palette />
      <Dialogs />
      <p class={`notice ${notice.value?.tone ?? ""}`} role="status">
        {notice.value?.text ?? ""}
      </p>
    </div>
  );
}

function focusMain(event: Event): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

/** A view of another thing, or for another user, is another component: nothing of the last one stays. */
function viewKey(route: typeof address.value.route, namespace: string): string {
  const what = route.view === "table" || route.view === "object" ? JSON.stringify([route, namespace]) : route.view;
  return `${what} ${seeAs.value?.user ?? ""}`;
}

const ObjectView = lazyView(async () => (await import("./object-view.js")).ObjectView);
const AccessView = lazyView(async () => (await import("./access-view.js")).AccessView);
const NodesView = lazyView(async () => (await import("./nodes-view.js")).NodesView);
const TimelineView = lazyView(async () => (await import("./timeline-view.js")).TimelineView);
const QueuesView = lazyView(async () => (await import("./queues-view.js")).QueuesView);
const CompareView = lazyView(async () => (await import("./compare-view.js")).CompareView);

function View() {
  const { route } = address.value;
  switch (route.view) {
    case "overview":
      return <Overview />;
    case "timeline":
      return <TimelineView />;
    case "access":
      return <AccessView />;
    case "nodes":
      return <NodesView />;
    case "queues":
      return <QueuesView />;
    case "compare":
      return <CompareView />;
    case "table": {
      const info = infoOf(route.place);
      return info ? (
        <TableView info={info} />
      ) : (
        <Unknown what={`${route.place.resource} of ${route.place.group || "core"}`} />
      );
    }
    case "object": {
      const info = infoOf(route.place);
      return info ? <ObjectView info={info} place={route.place} /> : <Unknown what={route.place.resource} />;
    }
  }
}

const Unknown = ({ what }: { readonly what: string }) => (
  <div class="empty">
    <h1>Not served</h1>
    <p>This cluster does not serve {what}.</p>
  </div>
);

const places = [
  ["Overview", "#/"],
  ["Timeline", "#/timeline"],
  ["Nodes", "#/nodes"],
  ["Who may what", "#/access"],
  ["Compare", "#/compare"],
  ["Queues", "#/queues"],
] as const;

const Entry = ({ hash, title }: { readonly hash: string; readonly title: string }) => (
  <a href={keepLasting(hash)} title={title} aria-current={here.value === hash ? "page" : undefined}>
    {title}
  </a>
);

function Navigation() {
  return (
    <nav class="navigation" aria-label="Kinds">
      <ul>
        {places.map(([title, hash]) => (
          <li key={hash}>
            <Entry hash={hash} title={title} />
          </li>
        ))}
      </ul>
      {navigationOf(app().cluster.resources).map(({ title, items }, at) => (
        <details key={title} open={at < 3 || items.some((info) => here.value === tableHash(info))}>
          <summary title={title}>{title}</summary>
          <ul>
            {items.map((info) => (
              <li key={`${info.group}/${info.resource}`}>
                <Entry hash={tableHash(info)} title={pluralTitle(info)} />
              </li>
            ))}
          </ul>
        </details>
      ))}
      {app().cluster.failedGroups.length > 0 && (
        <p class="muted">Not answering: {app().cluster.failedGroups.join(", ")}</p>
      )}
    </nav>
  );
}
