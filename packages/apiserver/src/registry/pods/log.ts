import type { IncomingMessage } from "node:http";
import { mediaTypeNames, servedMediaTypes } from "@coxswain/apimachinery/negotiation";
import { badRequest, genericServerResponse, internalError, type StatusError } from "@coxswain/apimachinery/status";
import type { StoredPod } from "@coxswain/kinds/core/pod";
import { ByteCollector } from "@coxswain/wire/bytes";
import { chooseForm } from "../../endpoints/respond/choose-form.js";
import { checkAccept } from "../../endpoints/route-media.js";
import type { Target } from "../../endpoints/target.js";
import { untilStopped } from "../../endpoints/until-stopped.js";
import type { Answer } from "../../request/answer.js";
import { isWebSocketRequest } from "../../request/client-websocket.js";
import type { RequestContext } from "../../request/request-context.js";
import type { RegistryDeps } from "../contract/registry-deps.js";
import { callBackend } from "../streams/call-backend.js";
import { DialError } from "../streams/dial-error.js";
import { encodeQuery, type Location, urlOf } from "../streams/location.js";
import { sendOverWebSocket } from "../streams/log-websocket.js";
import { connectionOf, plainFailure } from "../streams/node-connection.js";
import { readObject } from "../streams/read-object.js";
import { chooseContainer } from "./choose-container.js";
import { checkLogOptions, logQuery, readLogOptions } from "./log-options.js";

const produced = ["text/plain", ...mediaTypeNames(servedMediaTypes)];

/** A container's log, from its node, as it comes. A pod that is on no node has none: 204. */
export async function handlePodLog(
  deps: RegistryDeps,
  context: RequestContext,
  { namespace, name }: Target,
): Promise<Answer> {
  checkAccept(context.request, produced);
  context.form = await chooseForm(context, deps.runtime.clock);
  const location = await locateLog(deps, context, namespace, name);
  if (!location) return { as: "stream", code: 204, headers: {}, body: undefined };
  const signal = untilStopped(deps, context);
  const answer = await callBackend({
    location,
    method: "GET",
    headers: [],
    signal,
    clock: deps.streams.runtime.ioClock,
    network: deps.streams.network,
    connections: deps.streams.connections,
  }).catch((err: unknown) => {
    throw err instanceof DialError ? plainFailure(`Get "${urlOf(location)}": ${err.message}`, err) : err;
  });
  const { response } = answer;
  await checkResponse(response, location, name);
  if (isWebSocketRequest(context.request)) return sendOverWebSocket(deps, context, response);
  return { as: "stream", code: 200, headers: { "content-type": "text/plain" }, body: response };
}

async function locateLog(
  deps: RegistryDeps,
  context: RequestContext,
  namespace: string,
  name: string,
): Promise<Location | undefined> {
  const splitStreams = deps.gates.enabled("PodLogsQuerySplitStreams");
  const options = readLogOptions(context.query, splitStreams);
  checkLogOptions(name, options, splitStreams);
  const pod = await readObject<StoredPod>(deps, context, "pods", namespace, name);
  const container = chooseContainer(options.container ?? "", pod);
  if ((pod.spec.nodeName ?? "") === "") return undefined;
  const { hostname, port } = await connectionOf(deps, context, pod.spec.nodeName ?? "");
  const tls = options.insecureSkipTLSVerifyBackend === true ? deps.streams.trustingKubeletTls : deps.streams.kubeletTls;
  return {
    scheme: "https",
    hostname,
    port,
    path: `/containerLogs/${namespace}/${name}/${container}`,
    query: encodeQuery(logQuery(options)),
    tls,
  };
}

const longestRefusal = 50_000;

/** A refusal of the kubelet is passed on with its own message. */
async function checkResponse(response: IncomingMessage, location: Location, name: string): Promise<void> {
  const code = response.statusCode ?? 0;
  if (code >= 200 && code <= 206) return;
  if (code >= 300 && code < 400 && response.headers.location !== undefined) {
    response.destroy();
    throw plainFailure(`Get "${new URL(response.headers.location, urlOf(location)).href}": redirects forbidden`);
  }
  // Codes that HTTP does not have (RFC 9110, section 15) only show that the node is broken.
  throw refusal(code < 600 ? code : 502, await readText(response), name);
}

function refusal(code: number, text: string, name: string): StatusError {
  if (code === 500) return internalError(text);
  if (code === 400) return badRequest(text);
  return genericServerResponse({
    code,
    verb: "",
    resource: { group: "", resource: "pods/log" },
    name,
    serverMessage: text,
    unexpected: false,
  });
}

async function readText(response: IncomingMessage): Promise<string> {
  const body = new ByteCollector();
  for await (const part of response as AsyncIterable<Buffer>) {
    body.add(part);
    if (body.length >= longestRefusal) break;
  }
  return body.take().toString("utf8", 0, longestRefusal);
}
