import {
  createRestClient,
  type Interceptor,
  intercept,
  type RestClient,
  type TransportRequest,
} from "@coxswain/client";
import { createSocketTransport, type MessageSocket, type SocketTransport } from "@coxswain/client/socket";
import type { Runtime } from "@coxswain/runtime";
import type { SeeAs } from "../contract/messages.js";

/** What the relay answers to the key. */
export interface RelayFacts {
  readonly cluster: string;
  readonly readOnly: boolean;
  readonly hasClock: boolean;
}

/** The way of everything in the worker to the cluster. */
export interface Connection {
  readonly transport: SocketTransport;
  readonly rest: RestClient;
  facts(): RelayFacts;
  /** Later requests are sent as somebody else. */
  seeAs(as: SeeAs | undefined): void;
}

export interface ConnectionOptions {
  readonly key: string;
  readonly url: string;
  onChange(state: "open" | "lost"): void;
}

export async function openConnection(runtime: Runtime, options: ConnectionOptions): Promise<Connection> {
  let facts: RelayFacts | undefined;
  let as: SeeAs | undefined;
  const connect = async (): Promise<MessageSocket> => {
    const opened = await openSocket(options);
    facts = opened.facts;
    options.onChange("open");
    return opened.socket;
  };
  const sockets = createSocketTransport({ connect, runtime });
  const impersonate: Interceptor = (next) => ({
    send: (request) => next.send(prepared(request, as)),
    watch: (request) => next.watch(prepared(request, as)),
    close: () => next.close(),
  });
  const transport = intercept(sockets, [impersonate]);
  const rest = createRestClient({ transport });
  await rest.send({ method: "GET", path: "/version" });
  return {
    transport: { ...transport, upgrade: (request, protocols) => sockets.upgrade(prepared(request, as), protocols) },
    rest,
    facts: () => facts ?? { cluster: "", readOnly: false, hasClock: false },
    seeAs: (wanted) => void (as = wanted),
  };
}

/** A browser's User-Agent makes the server indent its answers, which doubles them; no client needs that. */
function prepared(request: TransportRequest, as: SeeAs | undefined): TransportRequest {
  const isRead = request.method === "GET";
  return {
    ...request,
    query: isRead ? [...(request.query ?? []), ["pretty", "0"]] : (request.query ?? []),
    headers: { ...request.headers, "user-agent": "coxswain-console", ...(as && impersonation(as)) },
  };
}

const impersonation = ({ user, groups }: SeeAs): Record<string, string> => ({
  "impersonate-user": user,
  ...(groups[0] !== undefined && { "impersonate-group": groups[0] }),
});

function openSocket({ key, url, onChange }: ConnectionOptions): Promise<{ socket: MessageSocket; facts: RelayFacts }> {
  const websocket = new WebSocket(url, "coxswain.console.v1");
  websocket.binaryType = "arraybuffer";
  return new Promise((resolve, reject) => {
    let events: Parameters<MessageSocket["listen"]>[0] | undefined;
    const socket: MessageSocket = {
      send(message) {
        if (websocket.readyState === WebSocket.OPEN) websocket.send(message as Uint8Array<ArrayBuffer>);
      },
      close: () => websocket.close(),
      listen: (given) => void (events = given),
    };
    websocket.onopen = () => websocket.send(key);
    websocket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
      if (typeof data === "string") resolve({ socket, facts: JSON.parse(data) as RelayFacts });
      else events?.onMessage(new Uint8Array(data));
    };
    websocket.onclose = ({ reason }) => {
      onChange("lost");
      reject(new Error(reason === "" ? "the console's process does not answer" : reason));
      events?.onClose(reason);
    };
  });
}
