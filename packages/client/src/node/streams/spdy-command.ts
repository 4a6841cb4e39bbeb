import { PassThrough, type Readable, type Writable } from "node:stream";
import { text } from "node:stream/consumers";
import type { SpdyConnection, SpdyStream } from "@coxswain/wire/spdy";
import { TransportError } from "../../transport/transport-error.js";
import { commandResult } from "./command-result.js";
import { type CommandStreams, encodeSize, type RemoteCommand } from "./remote-command.js";

/** In order of preference. Version 1 has no error for a half-closed stream, and no server needs it. */
export const spdyCommandProtocols = ["v4.channel.k8s.io", "v3.channel.k8s.io", "v2.channel.k8s.io"];

/** A command over SPDY, for servers before 1.30 and proxies that know no WebSocket. */
export async function commandOverSpdy(connection: SpdyConnection, wanted: CommandStreams): Promise<RemoteCommand> {
  const open = (type: string): Promise<SpdyStream> => connection.createStream(new Map([["streamtype", [type]]]));
  // The error stream comes first: the kubelet waits for all of them in any order, older ones expect this.
  const errors = await open("error");
  const stdin = wanted.stdin ? await open("stdin") : undefined;
  const stdout = wanted.stdout ? await open("stdout") : undefined;
  const stderr = wanted.stderr && !wanted.tty ? await open("stderr") : undefined;
  const resizes = wanted.tty ? await open("resize") : undefined;
  errors.end();
  stdout?.end();
  stderr?.end();
  let received = false;
  const result = text(errors).then((content) => {
    received = true;
    return content;
  });
  const lost = connection.closed.then(() => {
    if (!received) throw new TransportError("lost", "the connection to the container was lost");
    return result;
  });
  const done = Promise.race([result, lost]).then((content) => {
    void connection.close();
    return commandResult(content);
  });
  done.catch(() => {}); // the caller may look later
  return {
    stdin: (stdin as Writable | undefined) ?? ended(),
    stdout: (stdout as Readable | undefined) ?? ended(),
    stderr: (stderr as Readable | undefined) ?? ended(),
    resize: (size) => void resizes?.write(encodeSize(size)),
    done,
    close: () => connection.destroy(),
  };
}

const ended = (): PassThrough => new PassThrough().end() as unknown as PassThrough;
