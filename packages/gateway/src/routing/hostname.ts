/**
 * The hosts that a listener and a route have in common: of the two the more specific one, undefined where there are none. An empty one
 * stands for any host.
 */
export function intersectHostnames(listener: string, route: string): string | undefined {
  if (listener === "" || listener === route) return route;
  if (route === "") return listener;
  if (route.startsWith("*.") && isBelow(listener, route)) return listener;
  return isBelow(route, listener) ? route : undefined;
}

/** Whether all hosts of `narrow` are hosts of the wildcard `wide`. */
const isBelow = (narrow: string, wide: string): boolean =>
  wide.startsWith("*.") && narrow.replace(/^\*/, "").endsWith(wide.slice(1)) && narrow !== wide.slice(2);

/** The names under which routes of a host may stand, most specific first: itself, its wildcards, any. */
export function namesOfHost(host: string): string[] {
  const names = [host];
  for (let dot = host.indexOf("."); dot >= 0; dot = host.indexOf(".", dot + 1)) names.push(`*${host.slice(dot)}`);
  names.push("");
  return names;
}

/** The host of a Host header, without its port and in lower case. */
export function hostOf(header: string): string {
  const end = header.startsWith("[") ? header.indexOf("]") + 1 : header.indexOf(":");
  return (end > 0 ? header.slice(0, end) : header).toLowerCase();
}
