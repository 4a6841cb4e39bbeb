import type { SocketTransport } from "@coxswain/client/socket";
import type { Calls } from "../contract/messages.js";
import { pathOf } from "../contract/paths.js";

/** Channels of `v5.channel.k8s.io`. */
const channel = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4 } as const;

/** What a terminal's frame sends: bytes that were typed, or a new size. */
export type FromTerminal = Uint8Array | { readonly columns: number; readonly rows: number };

/** A command in a container, joined to a terminal by a port: what comes out is sent to it, what is typed comes from it. */
export async function openTerminal(
  transport: SocketTransport,
  { namespace, pod, container, command }: Calls["exec"]["params"],
  port: MessagePort,
): Promise<void> {
  const query: [string, string][] = [
    ...command.map((part): [string, string] => ["command", part]),
    ["stdin", "true"],
    ["stdout", "true"],
    ["tty", "true"],
    ...(container === "" ? [] : ([["container", container]] as [string, string][])),
  ];
  const path = pathOf({ group: "", version: "v1", resource: "pods", namespace, name: pod, subresource: "exec" });
  const stream = await transport.upgrade({ method: "GET", path, query }, ["v5.channel.k8s.io"]);
  port.onmessage = ({ data }: MessageEvent<FromTerminal | "close">) => {
    if (data === "close") stream.close();
    else if (data instanceof Uint8Array) stream.send(onChannel(channel.stdin, data));
    else {
      const size = new TextEncoder().encode(JSON.stringify({ Width: data.columns, Height: data.rows }));
      stream.send(onChannel(channel.resize, size));
    }
  };
  void passOn(stream.messages, port);
}

async function passOn(messages: AsyncIterable<Uint8Array>, port: MessagePort): Promise<void> {
  let ending = "";
  try {
    for await (const message of messages) {
      const content = message.slice(1);
      if (message[0] === channel.stdout || message[0] === channel.stderr) port.postMessage(content);
      else if (message[0] === channel.error) ending = endingOf(content);
    }
  } catch (error) {
    ending = (error as Error).message;
  }
  port.postMessage({ ended: ending });
}

/** The Status at the end of a command; "" for success. */
function endingOf(content: Uint8Array): string {
  try {
    const { status, message = "" } = JSON.parse(new TextDecoder().decode(content)) as {
      status?: string;
      message?: string;
    };
    return status === "Success" ? "" : message;
  } catch {
    return new TextDecoder().decode(content);
  }
}

function onChannel(number: number, content: Uint8Array): Uint8Array {
  const message = new Uint8Array(content.length + 1);
  message[0] = number;
  message.set(content, 1);
  return message;
}
