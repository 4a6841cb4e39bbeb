import type { Attachment } from "./attach-routes.js";
import type { ListenerRoutes } from "./finish-listener.js";
import type { RouteKindName } from "./planned-route.js";
import { keyOf } from "./world.js";

/** HTTPRoutes and GRPCRoutes do not share a host of a listener. The route of the other kind that has one already; undefined: none has. */
export function findMixedRoute(
  kind: RouteKindName,
  attachments: readonly Attachment[],
  attached: ReadonlyMap<string, ListenerRoutes>,
): string | undefined {
  for (const { listener, hostnames } of attachments)
    for (const hostname of hostnames) {
      const there = attached.get(listener.listener.name)?.byHost.get(hostname);
      if (there && there.kind !== kind) return `${there.kind} ${keyOf(there.route)}`;
    }
  return undefined;
}
