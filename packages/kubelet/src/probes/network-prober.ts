import type { HTTPGetAction, Probe } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import type { CachedContainer } from "../objects/cached-pod.js";
import type { ProbeResult } from "./probe-result.js";

/** Where a probe or a hook goes. */
export interface ProbeTarget {
  /** Of the container's running run. */
  readonly id: string;
  readonly container: CachedContainer;
  /** Where the handler names no host. */
  readonly podIP: string;
}

export interface NetworkQuestion extends ProbeTarget {
  /** With a handler over the network: httpGet, tcpSocket or grpc. */
  readonly probe: DeepReadonly<Probe>;
}

export interface HttpHook extends ProbeTarget {
  readonly httpGet: DeepReadonly<HTTPGetAction>;
}

/**
 * Asks containers over the network. Real nodes connect (`createNetworkProber`); simulated ones answer by rule.
 * `until` of a result: the answer is the same until that time, and nobody need ask before.
 */
export interface NetworkProber {
  probe(question: NetworkQuestion): Promise<ProbeResult>;
  /** The request of a post-start or pre-stop hook. Any response is good; undefined, or why there was none. */
  runHttpHook(hook: HttpHook, signal: AbortSignal): Promise<HttpHookResult>;
}

export interface HttpHookResult {
  readonly failure?: string;
  /** An HTTPS hook met a server of plain HTTP, which was then asked without TLS: the host and port that were asked. */
  readonly fellBackToHttp?: string;
}
