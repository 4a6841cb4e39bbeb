import { computed, signal } from "@preact/signals";
import { objectLink, type Place, resourceKey } from "../contract/paths.js";

/** Every view is a link: what is shown is in the address, and nowhere else. */
export type Route =
  | { readonly view: "overview" | "timeline" | "access" | "nodes" | "queues" | "compare" }
  | { readonly view: "table"; readonly place: Place }
  | { readonly view: "object"; readonly place: Place };

export interface Address {
  readonly route: Route;
  readonly params: URLSearchParams;
}

/** Pure: `#/t/apps/v1/deployments?ns=shop&filter=ready:0/`. */
export function parseHash(hash: string): Address {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const params = new URLSearchParams(query);
  const parts = path.split("/").map(decode);
  const [view, ...rest] = parts;
  if (view === "timeline" || view === "access" || view === "nodes" || view === "queues" || view === "compare")
    return { route: { view }, params };
  if (view === "t" && (rest.length === 2 || rest.length === 3))
    return { route: { view: "table", place: placeOf(rest) }, params };
  if (view === "o" && (rest.length === 4 || rest.length === 5)) {
    const [namespace = "", name = ""] = rest.slice(-2);
    const place = { ...placeOf(rest.slice(0, -2)), namespace: namespace === "_" ? "" : namespace, name };
    return { route: { view: "object", place }, params };
  }
  return { route: { view: "overview" }, params };
}

const placeOf = (parts: readonly string[]): Place => {
  const [group = "", version = "", resource = ""] = parts.length === 2 ? ["", ...parts] : parts;
  return { group, version, resource };
};

const decode = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // a broken link leads to a view that explains it
  }
};

export const tableHash = (place: Place, params: Readonly<Record<string, string>> = {}): string =>
  withParams(`#/t/${resourceKey(place)}`, params);

export const objectHash = (place: Place, params: Readonly<Record<string, string>> = {}): string =>
  withParams(objectLink(place), params);

function withParams(hash: string, params: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(Object.entries(params).filter(([, value]) => value !== "")).toString();
  return query === "" ? hash : `${hash}?${query}`;
}

export const address = signal<Address>(parseHash(""));

/** The entry of the navigation that leads to what is shown, or to its kind. */
export const here = computed(() => {
  const { route } = address.value;
  if ("place" in route) return tableHash(route.place);
  return route.view === "overview" ? "#/" : `#/${route.view}`;
});

/** What stays when one goes from view to view. */
const lasting = computed(() => ["ns", "at"].map((name) => `${name}=${encodeURIComponent(param(name))}`).join("&"));

export const followAddress = (): void => {
  const read = (): void => void (address.value = parseHash(location.hash));
  addEventListener("hashchange", read);
  read();
};

/** Goes to a view; namespace and moment stay unless the link names others. */
export function go(hash: string): void {
  location.hash = keepLasting(hash);
}

export function keepLasting(hash: string): string {
  const [path = "", query = ""] = hash.split("?");
  const params = new URLSearchParams(query);
  for (const [name, value] of new URLSearchParams(lasting.value))
    if (value !== "" && !params.has(name)) params.set(name, value);
  return withParams(path, Object.fromEntries(params));
}

/** Changes parameters of this view. `""` removes one. */
export function setParams(changes: Readonly<Record<string, string>>, replace = false): void {
  const [path = ""] = location.hash.split("?");
  const params = new URLSearchParams(address.value.params);
  for (const [name, value] of Object.entries(changes)) {
    if (value === "") params.delete(name);
    else params.set(name, value);
  }
  const text = params.toString();
  const hash = `${path === "" ? "#/" : path}${text === "" ? "" : `?${text}`}`;
  if (!replace) location.hash = hash;
  else {
    history.replaceState(null, "", hash);
    address.value = parseHash(hash);
  }
}

export const param = (name: string): string => address.value.params.get(name) ?? "";
