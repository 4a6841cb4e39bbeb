import { useMemo } from "preact/hooks";
import { app, seeAs } from "./app-state.js";
import { Button } from "./button.js";
import { openDialog } from "./dialogs-state.js";
import { Icon } from "./icon.js";
import { lazyView } from "./lazy-view.js";
import { openPalette } from "./palette-state.js";
import { param, setParams } from "./route.js";
import { nextTheme, theme } from "./theme.js";
import { useFeed } from "./use-feed.js";

const ClockControls = lazyView(async () => (await import("./clock-controls.js")).ClockControls);

export function TopBar({ onMenu }: { readonly onMenu: () => void }) {
  const { cluster } = app();
  const at = param("at");
  return (
    <header class={`bar${at === "" ? "" : " past"}`}>
      <Button class="quiet menu" aria-label="Kinds" onClick={onMenu}>
        <Icon name="menu" />
      </Button>
      <a class="brand" href="#/" title={`${cluster.cluster}, Kubernetes ${cluster.serverVersion}`}>
        {cluster.cluster}
      </a>
      {cluster.readOnly && <span class="chip">read-only</span>}
      <NamespaceChoice />
      <Button class="search" onClick={() => openPalette("")}>
        <Icon name="search" />
        <span>Search</span>
        <kbd>Ctrl K</kbd>
      </Button>
      <span class="space" />
      {cluster.hasClock && <ClockControls />}
      <Button class="quiet" onClick={() => openDialog({ kind: "moment" })} title="Look at the past">
        <Icon name="clock" />
        <span class="label">{at === "" ? "Live" : `Revision ${at}`}</span>
      </Button>
      {at !== "" && <Button onClick={() => setParams({ at: "" })}>Back to live</Button>}
      <Button class="quiet" onClick={() => openDialog({ kind: "seeAs" })} title="See as another user">
        <Icon name="user" />
        <span class="label">{seeAs.value?.user ?? (cluster.user || "user")}</span>
      </Button>
      <Button class="quiet" onClick={nextTheme} aria-label={`Theme: ${theme.value}`} title={`Theme: ${theme.value}`}>
        <Icon name={theme.value === "dark" ? "moon" : theme.value === "light" ? "sun" : "auto"} />
      </Button>
    </header>
  );
}

/** Namespaces are watched as every other table is. */
function NamespaceChoice() {
  const query = useMemo(
    () => ({
      group: "",
      version: "v1",
      resource: "namespaces",
      namespace: "",
      filter: "",
      sort: undefined,
      at: "",
      from: 0,
      count: 1000,
    }),
    [],
  );
  const { state } = useFeed("table", query, "namespaces");
  const chosen = param("ns");
  const names = (state.value?.rows ?? []).map(({ name }) => name);
  const shown = chosen !== "" && !names.includes(chosen) ? [chosen, ...names] : names;
  return (
    <select
      aria-label="Namespace"
      class="namespace"
      value={chosen}
      onChange={(event) => setParams({ ns: event.currentTarget.value })}
    >
      <option value="">All namespaces</option>
      {shown.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}
