import { KubeletRefusal } from "./kubelet-source.js";

/** Which streams of a command a client wants. */
export interface StreamOptions {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

/**
 * Pure: as upstream reads them (k8s.io/cri-streaming/pkg/streaming/remotecommand/httpstream.go, NewOptions). A terminal has one
 * output. @throws KubeletRefusal 400 where there is none at all
 */
export function readStreamOptions(query: URLSearchParams): StreamOptions {
  const asks = (name: string): boolean => query.get(name) === "1" || query.get(name) === "true";
  const tty = asks("tty");
  const stdin = asks("input") || asks("stdin");
  const stdout = asks("output") || asks("stdout");
  const stderr = (asks("error") || asks("stderr")) && !tty;
  if (!stdin && !stdout && !stderr)
    throw new KubeletRefusal(400, "you must specify at least 1 of stdin, stdout, stderr");
  return { stdin, stdout, stderr, tty };
}

/** A channel of a WebSocket has a byte for its number, and a port two channels. */
const maxPorts = 127;

/** Pure: the ports that a WebSocket forwards (portforward/websocket.go there, NewV4Options). @throws KubeletRefusal 400 */
export function readPorts(query: URLSearchParams): readonly number[] {
  const texts = query.getAll("port");
  if (texts.length === 0) throw new KubeletRefusal(400, 'query parameter "port" is required');
  const ports = texts.flatMap((text) => text.split(",").map((each) => readPort(each, text)));
  if (ports.length > maxPorts) throw new KubeletRefusal(400, `at most ${maxPorts} ports can be forwarded at once`);
  return ports;
}

function readPort(text: string, given: string): number {
  if (given === "") throw new KubeletRefusal(400, 'query parameter "port" cannot be empty');
  const port = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (port === 0) throw new KubeletRefusal(400, `port ${JSON.stringify(given)} must be > 0`);
  if (port > 0 && port < 65536) return port;
  throw new KubeletRefusal(400, `unable to parse ${JSON.stringify(given)} as a port`);
}
