import { DialError } from "../registry/streams/dial-error.js";
import { urlOf } from "../registry/streams/location.js";
import type { ServiceResolver } from "../webhook/service-resolver.js";
import { rootPath } from "./api-service.js";
import { type Backend, locate } from "./backend.js";
import { type FetchDeps, fetchDocument } from "./fetch-document.js";
import { discoveryUser } from "./proxy-user.js";

/** As upstream (k8s.io/kube-aggregator/pkg/controllers/status/remote/remote_available_controller.go, attempts): so many are asked at once, since the service may have several endpoints, and one that answers is enough. */
const attempts = 5;
const timeoutMs = 5000;

/** Why a backend does not answer with its discovery document. Undefined: it does. */
export async function checkDiscovery(
  deps: FetchDeps & { readonly resolver: ServiceResolver },
  backend: Backend,
): Promise<string | undefined> {
  if (backend.problem !== undefined) return backend.problem;
  let last: string | undefined;
  return new Promise((resolve) => {
    let left = attempts;
    for (let attempt = 0; attempt < attempts; attempt++)
      void tryOnce(deps, backend).then((problem) => {
        left -= 1;
        if (problem === undefined) return resolve(undefined);
        last = problem;
        if (left === 0) resolve(last);
      });
  });
}

async function tryOnce(
  deps: FetchDeps & { readonly resolver: ServiceResolver },
  backend: Backend,
): Promise<string | undefined> {
  let url = "";
  try {
    const location = await locate(deps.resolver, backend, { path: rootPath(backend) });
    url = urlOf(location);
    const { code } = await fetchDocument(deps, { location, user: discoveryUser, timeoutMs, maxBytes: 0 });
    return code >= 200 && code < 300
      ? undefined
      : `failing or missing response from ${url}: bad status from ${url}: ${code}`;
  } catch (err) {
    if (url === "") return (err as Error).message;
    if (err instanceof DialError) deps.connections.dropIdle();
    return `failing or missing response from ${url}: Get ${JSON.stringify(url)}: ${(err as Error).message}`;
  }
}
