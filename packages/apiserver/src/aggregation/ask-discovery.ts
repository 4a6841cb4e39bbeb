import type { Clock } from "@coxswain/runtime/clock";
import type { APIResourceDiscovery } from "../documents/discovery/aggregated.js";
import type { ServiceReference } from "../webhook/service-resolver.js";
import { rootPath } from "./api-service.js";
import type { Backend } from "./backend.js";
import type { FetchedDocument, FetchHeaders } from "./fetch-document.js";
import { type DiscoveredVersions, parseAggregated, parseLegacy, versionKey } from "./parse-discovery.js";

const accept =
  "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList";

/** What one service answered, for all the APIServices that name it. */
interface Answered {
  readonly versions: DiscoveredVersions;
  readonly etag: string;
  /** Before the question was sent, by the monotonic clock. */
  readonly asOf: number;
}

/** Asks services for their resources, each once for all the APIServices that name it. */
export class DiscoveryAnswers {
  readonly #answers = new Map<string, Answered>();
  readonly #clock: Clock;
  readonly #get: (backend: Backend, path: string, headers: FetchHeaders) => Promise<FetchedDocument>;

  constructor(clock: Clock, get: (backend: Backend, path: string, headers: FetchHeaders) => Promise<FetchedDocument>) {
    this.#clock = clock;
    this.#get = get;
  }

  /** Forgets what services answered that no backend names any more. */
  keepOnly(backends: Iterable<Backend>): void {
    const used = new Set([...backends].map(({ service }) => serviceKey(service)));
    for (const key of this.#answers.keys()) if (!used.has(key)) this.#answers.delete(key);
  }

  /** The resources of the backend's own group-version, not older than `since` by the monotonic clock. */
  async ask(backend: Backend, since: number): Promise<readonly APIResourceDiscovery[]> {
    const answers = this.#answers;
    const key = serviceKey(backend.service);
    const of = versionKey(backend.group, backend.version);
    const known = answers.get(key);
    // Another APIService of the same service has asked since.
    if (known && known.asOf > since) return known.versions.get(of) ?? [];
    const asOf = this.#clock.monotonic();
    const answer = await this.#get(backend, "/apis", [
      ["Accept", accept],
      ...(known && known.etag !== "" ? [["If-None-Match", known.etag] as const] : []),
    ]);
    if (answer.code === 304 && known) answers.set(key, { ...known, asOf });
    else if (answer.code === 503) throw new Error(`service ${key} returned non-success response code: 503`);
    else if (answer.code === 200 && isAggregated(answer))
      answers.set(key, { versions: parseAggregated(jsonOf(answer)), etag: answer.headers.etag ?? "", asOf });
    else return this.#askLegacy(backend);
    return answers.get(key)?.versions.get(of) ?? [];
  }

  async #askLegacy(backend: Backend): Promise<readonly APIResourceDiscovery[]> {
    const path = rootPath(backend);
    const answer = await this.#get(backend, path, [["Accept", "application/json"]]);
    if (answer.code !== 200)
      throw new Error(`failed to download legacy discovery for ${path}: ${answer.body.subarray(0, 1024).toString()}`);
    return parseLegacy(jsonOf(answer));
  }
}

const serviceKey = ({ namespace, name, port }: ServiceReference): string => `${namespace}/${name}:${port}`;

const isAggregated = ({ headers }: FetchedDocument): boolean =>
  /;\s*g=apidiscovery\.k8s\.io/.test(headers["content-type"] ?? "") &&
  /;\s*as=APIGroupDiscoveryList/.test(headers["content-type"] ?? "");

const jsonOf = ({ body }: FetchedDocument): unknown => JSON.parse(body.toString());
