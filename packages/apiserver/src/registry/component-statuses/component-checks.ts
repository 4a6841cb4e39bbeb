import type { KeyValueStore } from "@coxswain/storage";

/** What a check found: `message` is what the component answered, `error` why it could not be asked. */
export interface ComponentHealth {
  readonly status: "True" | "False" | "Unknown";
  readonly message: string;
  readonly error?: string;
}

/** Asks a component how it is. Never rejects. */
export type ProbeComponent = (address: {
  readonly host: string;
  readonly port: number;
  readonly path: string;
}) => Promise<ComponentHealth>;

export type ComponentChecks = ReadonlyMap<string, () => Promise<ComponentHealth>>;

/** The components that stand beside an API server, where a default cluster has them: on the same machine. */
export function createComponentChecks(store: KeyValueStore, probe: ProbeComponent): ComponentChecks {
  return new Map([
    ["controller-manager", () => probe({ host: "127.0.0.1", port: 10257, path: "/healthz" })],
    ["scheduler", () => probe({ host: "127.0.0.1", port: 10259, path: "/healthz" })],
    ["etcd-0", () => storeHealth(store)],
  ]);
}

/** Whatever the store is, clients know it by this name. */
async function storeHealth(store: KeyValueStore): Promise<ComponentHealth> {
  try {
    await store.status();
    return { status: "True", message: "ok" };
  } catch (err) {
    return { status: "False", message: "", error: err instanceof Error ? err.message : String(err) };
  }
}
