import type { Budget } from "../languages/budget.js";
import type { ShellProcess } from "../languages/shell/shell-process.js";
import { createPipe, emptyInput, type Input, type Output } from "../languages/shell/streams.js";
import { Terminal } from "../languages/shell/terminal.js";
import { findContainer } from "../objects/cached-pod.js";
import type { ExecStreams } from "../runtime/container-runtime.js";
import type { SimulatedConfig } from "./own-config.js";

/** What a container's own process reads: what clients that are attached send, if its spec has `stdin`. */
export interface MainInput {
  readonly streams: Pick<ShellProcess, "stdin" | "stdout" | "stderr"> & { readonly terminal?: Terminal };
  feed(stdin: AsyncIterable<Uint8Array>, onResize: ExecStreams["onResize"]): Promise<void>;
}

export function createMainInput(
  { pod, name }: SimulatedConfig,
  memory: Budget,
  log: { readonly stdout: Output; readonly stderr: Output },
): MainInput {
  const { stdin = false, stdinOnce = false, tty = false } = findContainer(pod, name) ?? {};
  if (!stdin) return { streams: { stdin: emptyInput, ...log }, feed: () => Promise.resolve() };
  const pipe = createPipe(memory);
  const terminal = tty ? new Terminal({ keys: chunksOf(pipe.input), screen: log.stdout }) : undefined;
  return {
    streams: terminal
      ? { stdin: terminal.input, stdout: terminal.output, stderr: terminal.output, terminal }
      : { stdin: pipe.input, ...log },
    async feed(chunks, onResize) {
      if (terminal) onResize?.((size) => terminal.resize(size));
      for await (const chunk of chunks) {
        pipe.output.write(chunk);
        await pipe.output.drained();
      }
      if (stdinOnce) pipe.end();
    },
  };
}

async function* chunksOf(input: Input): AsyncGenerator<Uint8Array> {
  for (let chunk = await input.read(); chunk; chunk = await input.read()) yield chunk;
}
