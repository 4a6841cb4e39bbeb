import { limits } from "../limits.js";
import { ownRequestOf, ownRoot } from "../own-request.js";
import { guardsAt, type OpenFacts } from "./guard.js";

const refused = (message: string) => ({ status: 403, message });

/** Documents of the API, and nothing else: no `/debug`, no `/logs`, no `/metrics`. */
const apiRoots = new Set(["api", "apis", "openapi", "version", "livez", "readyz"]);

/** Headers that a page may send. Credentials and hop-by-hop headers are the relay's business. */
const allowedHeaders =
  /^(?:accept|content-type|user-agent|impersonate-user|impersonate-group|impersonate-uid|impersonate-extra-[a-z0-9.%_-]+)$/;

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]);

/** Questions that are asked by POST and change nothing. */
const reviews: Readonly<Record<string, ReadonlySet<string>>> = {
  "authorization.k8s.io": new Set([
    "selfsubjectaccessreviews",
    "selfsubjectrulesreviews",
    "subjectaccessreviews",
    "localsubjectaccessreviews",
  ]),
  "authentication.k8s.io": new Set(["selfsubjectreviews"]),
  "history.coxswain.dev": new Set(["moments", "explanations", "accessexplanations"]),
};

const isReview = (segments: readonly string[]): boolean => {
  const [root, group = "", , ...rest] = segments;
  const resource = rest[0] === "namespaces" ? rest[2] : rest[0];
  const isCollection = rest.length === (rest[0] === "namespaces" ? 3 : 1);
  return (
    root === "apis" && isCollection && Object.hasOwn(reviews, group) && (reviews[group]?.has(resource ?? "") ?? false)
  );
};

/** The subresource of a path: what stands behind the name of an object. */
function subresourceOf(segments: readonly string[]): string {
  const rest = segments.slice(segments[0] === "api" ? 2 : 3);
  const at = rest[0] === "namespaces" && rest.length > 3 ? 4 : 2;
  return rest[at] ?? "";
}

/** A port that leads to a pod meets these with each connection. It is open on loopback alone, under a number that nobody chose. */
export const connectionGuards = guardsAt("connection", [
  {
    name: "few forwarded connections",
    refuse: ({ connections }) =>
      connections < limits.forwardConnections ? undefined : { status: 429, message: "too many connections" },
  },
]);

const streaming = new Set(["exec", "attach", "portforward"]);
const isStreaming = ({ segments = [] }: OpenFacts): boolean => streaming.has(subresourceOf(segments));

/** A request to the API server meets these before it is sent with the credentials of the kubeconfig. */
export const openGuards = guardsAt("open", [
  {
    name: "request method",
    refuse: ({ open }) => (methods.has(open.method) ? undefined : refused("no such method")),
  },
  {
    name: "plain path",
    // Encoded slashes and dots: what is checked here must be what the server understands.
    refuse: ({ open, segments }) =>
      segments !== undefined &&
      open.target.startsWith("/") &&
      !/[\s\\#\0-\x1f\x7f-\uffff]/.test(open.target) &&
      segments.every((segment) => segment !== "" && segment !== "." && segment !== ".." && !/[/\\\0]/.test(segment))
        ? undefined
        : refused("not a path of the API"),
  },
  {
    name: "API path",
    refuse: ({ segments = [] }) =>
      apiRoots.has(segments[0] ?? "") || segments[0] === ownRoot ? undefined : refused("not a path of the API"),
  },
  {
    name: "own path",
    // What the relay does itself is a short list: nothing of it is passed on, and nothing else is understood.
    refuse: (facts) =>
      facts.segments?.[0] !== ownRoot || ownRequestOf(facts.open, facts.segments) !== undefined
        ? undefined
        : refused("the relay does no such thing"),
  },
  {
    name: "few forwards",
    refuse: ({ open, segments = [], forwards }) =>
      ownRequestOf(open, segments)?.kind === "forward" && forwards >= limits.forwards
        ? { status: 429, message: `at most ${limits.forwards} ports at once` }
        : undefined,
  },
  {
    name: "clock of a test",
    refuse: ({ open, segments = [], hasClock }) =>
      ownRequestOf(open, segments)?.kind === "clock" && !hasClock
        ? refused("this cluster's time cannot be moved")
        : undefined,
  },
  {
    name: "no proxy",
    // A page of a pod would be served to the console's own scripts.
    refuse: ({ segments = [] }) =>
      subresourceOf(segments) === "proxy" || (segments[0] === "api" && segments[2] === "proxy")
        ? refused("the console proxies to no pods, services or nodes")
        : undefined,
  },
  {
    name: "own headers",
    refuse: ({ open }) =>
      open.headers.length <= 40 &&
      open.headers.every(([name, value]) => allowedHeaders.test(name) && !/[\0\r\n]/.test(value))
        ? undefined
        : refused("a header is not allowed"),
  },
  {
    name: "upgrades",
    refuse: (facts) =>
      (facts.open.upgrade !== undefined) === isStreaming(facts) &&
      (facts.open.upgrade === undefined || facts.open.method === "GET")
        ? undefined
        : refused("only exec, attach and port-forward become streams"),
  },
  {
    name: "read-only",
    refuse: (facts) =>
      !facts.readOnly ||
      (!isStreaming(facts) && (facts.open.method === "GET" || facts.open.method === "HEAD")) ||
      (facts.open.method === "POST" && isReview(facts.segments ?? []))
        ? undefined
        : refused("this console is read-only"),
  },
]);
