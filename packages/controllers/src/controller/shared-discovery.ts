import type { Client } from "@coxswain/client";
import type { ApiSurface } from "@coxswain/client/discovery";
import type { Clock } from "@coxswain/runtime/clock";
import type { Informers } from "./informers.js";

/** What the server serves, asked once for all controllers that work with every resource. */
export interface SharedDiscovery {
  /** As of the last change that `onChange` reports, and not older than half a minute. */
  surface(): Promise<ApiSurface>;
  /** As of now: the request begins after this call. Calls that wait for the same request share it. */
  fresh(): Promise<ApiSurface>;
  /** Calls back when a CustomResourceDefinition or an APIService has come, changed or gone. Before the caches are started. */
  onChange(informers: Informers, changed: () => void): void;
}

/** Aggregated API servers may serve something else without any object changing: upstream asks every 30 s (cmd/kube-controller-manager/app/core.go, syncPeriod). */
const maxAgeMs = 30_000;

export function createSharedDiscovery({ client, clock }: { client: Client; clock: Clock }): SharedDiscovery {
  let known: { readonly surface: Promise<ApiSurface>; readonly atMs: number } | undefined;
  let waiting: Promise<ApiSurface> | undefined;
  let running: Promise<unknown> | undefined;
  const followers: (() => void)[] = [];

  function ask(): Promise<ApiSurface> {
    client.server.invalidate();
    const asked = { surface: client.server.surface(), atMs: clock.monotonic() };
    known = asked;
    running = asked.surface.then(
      () => (running = undefined),
      () => {
        running = undefined;
        if (known === asked) known = undefined;
      },
    );
    return asked.surface;
  }
  function changed(): void {
    known = undefined;
    for (const follower of followers) follower();
  }
  return {
    // Those who ask every 30 s do so a little before or after each other.
    surface: () => (known && clock.monotonic() - known.atMs < maxAgeMs / 2 ? known.surface : ask()),
    fresh() {
      if (!running) return ask();
      waiting ??= running.then(() => {
        waiting = undefined;
        return ask();
      });
      return waiting;
    },
    onChange(informers, follower) {
      const watched = [
        informers.of("apiextensions", "v1", "customresourcedefinitions"),
        informers.of("apiregistration", "v1", "apiservices"),
      ];
      followers.push(follower);
      if (followers.length > 1) return;
      for (const informer of watched) informer.addHandler({ onAdd: changed, onUpdate: changed, onDelete: changed });
    },
  };
}
