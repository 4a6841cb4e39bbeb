import { type ClientConfig, type ConnectedClient, connect, loadConfig } from "@coxswain/client/node";
import { claimCauses, type WorkRecorder } from "@coxswain/client/work";
import { type Clock, systemClock } from "@coxswain/runtime/clock";
import { sleep } from "@coxswain/runtime/wait";
import { serviceAccountIdentity } from "./service-account-identity.js";

export interface ConnectionOptions {
  /** "kube-controller-manager": the name under which it writes, for `works`. */
  readonly component?: string;
  readonly kubeconfig: string | undefined;
  readonly master: string | undefined;
  readonly qps: number | undefined;
  readonly burst: number | undefined;
  /** Sent in every request's User-Agent, with the controller's name behind it. */
  readonly userAgent: string;
  /** What this process works on: its writes name it. @default they do not */
  readonly works?: WorkRecorder;
}

/** Ways to one cluster, each under a name of its own. */
export interface ClusterConnection {
  /** As the user that the kubeconfig names. */
  readonly client: ConnectedClient;
  /** As a service account of kube-system. */
  asServiceAccount(name: string): ConnectedClient;
  close(): Promise<void>;
}

export function openConnection(options: ConnectionOptions): ClusterConnection {
  const config = configOf(options);
  const opened: ConnectedClient[] = [];
  const open = (userAgent: string, more: Parameters<typeof connect>[1] = {}): ConnectedClient => {
    const client = connect(config, {
      userAgent,
      onWarning: () => {},
      ...(options.qps && { qps: options.qps }),
      ...(options.burst && { burst: options.burst }),
      ...more,
    });
    opened.push(client);
    return client;
  };
  const { works, component = "" } = options;
  const claims = (writer: string) => (works ? { interceptors: [claimCauses(works, writer)] } : {});
  const client = open(options.userAgent, claims(component));
  return {
    client,
    asServiceAccount: (name) =>
      open(`${options.userAgent}/system:serviceaccount:kube-system:${name}`, {
        ...claims(name),
        identity: serviceAccountIdentity({ client, namespace: "kube-system", name, clock: systemClock }),
      }),
    close: async () => void (await Promise.all(opened.map((one) => one.close()))),
  };
}

function configOf({ kubeconfig, master }: Pick<ConnectionOptions, "kubeconfig" | "master">): ClientConfig {
  if (kubeconfig === undefined && master !== undefined) return { server: master };
  const config = loadConfig(kubeconfig === undefined ? {} : { path: kubeconfig });
  return master === undefined ? config : { ...config, server: master };
}

/** Upstream's components wait as long for a server that is being started, and give up then. */
const serverWaitMs = 10_000;
const betweenTriesMs = 100;

/** Resolves when the API server is healthy. @throws Error when it is not in time, with the last reason */
export async function serverIsHealthy(client: ConnectedClient, clock: Clock, signal: AbortSignal): Promise<void> {
  const end = clock.monotonic() + serverWaitMs;
  for (;;) {
    try {
      await (await client.rest.open({ method: "GET", path: "/healthz", signal })).bytes();
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (clock.monotonic() >= end)
        throw new Error(`the API server is not healthy after ${serverWaitMs / 1000} s: ${(error as Error).message}`, {
          cause: error,
        });
    }
    await sleep(betweenTriesMs, { clock, signal });
  }
}
