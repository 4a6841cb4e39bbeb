import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { KubernetesValue, ObjectRef } from "../contract/messages.js";
import { app } from "./app-state.js";
import { ProblemBox } from "./problem-box.js";
import { useAttempt } from "./use-attempt.js";

/** A shell in a container. The terminal is a frame of its own, with a port to the worker and no other way out. */
export function TerminalTab({
  objectRef,
  object,
}: {
  readonly objectRef: ObjectRef;
  readonly object: KubernetesValue;
}) {
  const containers: string[] = (object["spec"]?.containers ?? []).map(({ name }: { name: string }) => name);
  const container = useSignal(containers[0] ?? "");
  const command = useSignal("/bin/sh");
  const run = useSignal(0);
  const { problem, attempt } = useAttempt();
  const frame = useRef<HTMLIFrameElement>(null);
  const start = async (): Promise<void> => {
    const { port1, port2 } = new MessageChannel();
    const { namespace, name } = objectRef;
    const words = command.value.split(" ").filter((word) => word !== "");
    await app().worker.call("exec", { namespace, pod: name, container: container.value, command: words }, port2);
    frame.current?.contentWindow?.postMessage("terminal", location.origin, [port1]);
  };
  useEffect(() => {
    const leave = ({ origin, data }: MessageEvent<unknown>): void => {
      if (origin === location.origin && data === "leave") document.getElementById("tab-terminal")?.focus();
    };
    addEventListener("message", leave);
    return () => removeEventListener("message", leave);
  }, []);
  return (
    <div class="terminal">
      <form
        class="toolbar"
        onSubmit={(event) => {
          event.preventDefault();
          run.value++;
        }}
      >
        <label>
          Container{" "}
          <select value={container.value} onChange={(event) => (container.value = event.currentTarget.value)}>
            {containers.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label>
          Command <input value={command.value} onInput={(event) => (command.value = event.currentTarget.value)} />
        </label>
        <button type="submit">Start anew</button>
        <span class="muted">Ctrl-F6 leaves the terminal</span>
      </form>
      {problem.value && <ProblemBox problem={problem.value} />}
      <iframe key={run.value} ref={frame} title="Terminal" src="/terminal" onLoad={() => void attempt(start)} />
    </div>
  );
}
