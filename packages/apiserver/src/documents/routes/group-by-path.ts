import { type Method, methods, type Route, type RouteParameter } from "./route.js";

export interface PathRoutes {
  readonly path: string;
  /** Parameters that every operation of the path has, written once, sorted. */
  readonly parameters: readonly RouteParameter[];
  readonly operations: readonly {
    readonly method: Method;
    readonly route: Route;
    readonly parameters: readonly RouteParameter[];
  }[];
}

/** Routes by path, sorted, with what their operations have in common taken out. */
export function groupByPath(routes: readonly Route[]): PathRoutes[] {
  const paths = new Map<string, Route[]>();
  for (const route of routes) {
    const there = paths.get(route.path);
    if (there) there.push(route);
    else paths.set(route.path, [route]);
  }
  return [...paths].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, list]) => groupPath(path, list));
}

function groupPath(path: string, routes: readonly Route[]): PathRoutes {
  const counts = new Map<string, { parameter: RouteParameter; count: number }>();
  for (const parameter of routes.flatMap((route) => route.parameters)) {
    const key = keyOf(parameter);
    counts.set(key, { parameter, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  const common = [...counts.values()].filter(({ count }) => count === routes.length).map(({ parameter }) => parameter);
  const isCommon = new Set(common.map(keyOf));
  const sorted = [...routes].sort((a, b) => methods.indexOf(a.method) - methods.indexOf(b.method));
  return {
    path,
    parameters: common.sort(byNameAndPlace),
    operations: sorted.map((route) => ({
      method: route.method,
      route,
      parameters: route.parameters.filter((parameter) => !isCommon.has(keyOf(parameter))).sort(byNameAndPlace),
    })),
  };
}

const keyOf = (parameter: RouteParameter): string => `${parameter.in} ${parameter.name}`;

const byNameAndPlace = (a: RouteParameter, b: RouteParameter): number =>
  a.name === b.name ? (a.in < b.in ? -1 : 1) : a.name < b.name ? -1 : 1;
