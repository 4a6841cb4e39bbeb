import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { badRequest } from "@coxswain/apimachinery/status";
import { admitConnection } from "../../endpoints/admit-connection.js";
import type { HandlerName } from "../../endpoints/registered-handlers.js";
import { methodNotAllowed, resourceNotFound } from "../../endpoints/router-errors.js";
import type { Target } from "../../endpoints/target.js";
import type { Answer } from "../../request/answer.js";
import type { RequestContext } from "../../request/request-context.js";
import type { RegistryDeps, RegistryHandler } from "../contract/registry-deps.js";
import { handleNodeProxy } from "../nodes/proxy.js";
import { handlePodLog } from "../pods/log.js";
import { handlePortForward } from "../pods/port-forward.js";
import { handlePodProxy } from "../pods/proxy.js";
import { handleAttach, handleExec } from "../pods/remote-command.js";
import { handleServiceProxy } from "../services/proxy.js";
import { readCommandOptions, readPorts } from "../streams/stream-options.js";

/** A subresource that hands a request on to somebody else, whatever its method. */
interface Connection<O> {
  readonly methods: readonly string[];
  /** Whether more may follow in the path. */
  readonly hasSubpath: boolean;
  /** What admission sees. */
  readonly optionsKind: string;
  readOptions(context: RequestContext): O;
  connect(deps: RegistryDeps, context: RequestContext, target: Target, options: O): Promise<Answer>;
}

const upgrades = { methods: ["GET", "POST"], hasSubpath: false };
const proxies = {
  methods: ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"],
  hasSubpath: true,
  readOptions: ({ info }: RequestContext) => ({ path: `/${info.parts.slice(3).join("/")}` }),
};

const connections: Readonly<Record<string, RegistryHandler>> = {
  "pods/exec": connection({
    ...upgrades,
    optionsKind: "PodExecOptions",
    readOptions: ({ query }) => readCommandOptions(query),
    connect: handleExec,
  }),
  "pods/attach": connection({
    ...upgrades,
    optionsKind: "PodAttachOptions",
    readOptions: ({ query }) => readCommandOptions(query),
    connect: handleAttach,
  }),
  "pods/portforward": connection({
    ...upgrades,
    optionsKind: "PodPortForwardOptions",
    readOptions: ({ query }) => ({ ports: readPorts(query) }),
    connect: handlePortForward,
  }),
  "pods/proxy": connection({ ...proxies, optionsKind: "PodProxyOptions", connect: handlePodProxy }),
  "nodes/proxy": connection({ ...proxies, optionsKind: "NodeProxyOptions", connect: handleNodeProxy }),
  "services/proxy": connection({ ...proxies, optionsKind: "ServiceProxyOptions", connect: handleServiceProxy }),
  "pods/log": (deps, context, target) => {
    if (context.info.parts.length > 3) throw resourceNotFound();
    if (context.request.method !== "GET") throw methodNotAllowed();
    return handlePodLog(deps, context, target);
  },
};

/** Those are neither read nor written like objects: undefined for everything else. */
export function connectHandler({ group, resource, subresource }: HandlerName): RegistryHandler | undefined {
  if (group !== "" || subresource === "") return undefined;
  const path = `${resource}/${subresource}`;
  return Object.hasOwn(connections, path) ? connections[path] : undefined;
}

function connection<O extends object>({
  methods,
  hasSubpath,
  optionsKind,
  readOptions,
  connect,
}: Connection<O>): RegistryHandler {
  return async (deps, context, target) => {
    const { info, request, query } = context;
    if (!hasSubpath && info.parts.length > 3) throw resourceNotFound();
    if (!methods.includes(request.method)) throw methodNotAllowed();
    if (query.all("dryRun").length > 0) throw badRequest("dryRun is not supported");
    const options = readOptions(context);
    const object = { apiVersion: "v1", kind: optionsKind, metadata: {}, ...options } as unknown as KubernetesObject;
    await admitConnection(deps, context, { target, object });
    return connect(deps, context, target, options);
  };
}
