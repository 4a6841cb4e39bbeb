import { useSignal } from "@preact/signals";
import type { ForwardedPort, KubernetesValue, ObjectRef } from "../contract/messages.js";
import { app } from "./app-state.js";
import { Button } from "./button.js";
import { Heads } from "./heads.js";
import { ProblemBox } from "./problem-box.js";
import { useAttempt } from "./use-attempt.js";
import { useFeed } from "./use-feed.js";

/** Ports of this machine that lead to ports of the pod, for as long as the page is open. */
export function PortsTab({ objectRef, object }: { readonly objectRef: ObjectRef; readonly object: KubernetesValue }) {
  const declared: { containerPort?: number; name?: string }[] = (object["spec"]?.containers ?? []).flatMap(
    ({ ports = [] }: { ports?: { containerPort?: number; name?: string }[] }) => ports,
  );
  const port = useSignal(String(declared[0]?.containerPort ?? ""));
  const { problem, attempt } = useAttempt();
  const { state } = useFeed("forwards", {}, "forwards");
  const open = (event: Event): void => {
    event.preventDefault();
    const { namespace, name: pod } = objectRef;
    void attempt(() => app().worker.call("forward", { namespace, pod, port: Number(port.value) }));
  };
  return (
    <div class="summary ports">
      <section>
        <h2>Forward a port</h2>
        <form class="toolbar bare" onSubmit={open}>
          <label>
            Port of the pod{" "}
            <input
              type="number"
              min="1"
              max="65535"
              required
              list="declared-ports"
              value={port.value}
              onInput={(event) => (port.value = event.currentTarget.value)}
            />
          </label>
          <datalist id="declared-ports">
            {declared.map(({ containerPort, name }) => (
              <option key={containerPort} value={containerPort}>
                {name}
              </option>
            ))}
          </datalist>
          <button type="submit" class="filled">
            Forward
          </button>
        </form>
        {problem.value && <ProblemBox problem={problem.value} />}
        <p class="muted">
          A free port of the machine that runs the console, on 127.0.0.1 only. It is closed with this page.
        </p>
        <pre
          tabIndex={0}
        >{`kubectl port-forward -n ${objectRef.namespace} pod/${objectRef.name} :${port.value || "PORT"}`}</pre>
      </section>
      <section>
        <h2>Open ports</h2>
        <Open ports={state.value ?? []} />
      </section>
    </div>
  );
}

function Open({ ports }: { readonly ports: readonly ForwardedPort[] }) {
  if (ports.length === 0) return <p class="muted">None.</p>;
  return (
    <table class="plain stacked">
      <Heads titles={["Here", "Pod", "Connections", ""]} />
      <tbody>
        {ports.map(({ id, namespace, pod, podPort, localPort, connections, problem }) => (
          <tr key={id}>
            <td>
              {localPort === 0 ? (
                "closed"
              ) : (
                <a href={`http://127.0.0.1:${localPort}/`} target="_blank" rel="noreferrer noopener">
                  127.0.0.1:{localPort}
                </a>
              )}
            </td>
            <td>
              {namespace}/{pod}:{podPort}
              {problem && <span class="bad"> {problem.message}</span>}
            </td>
            <td>{connections}</td>
            <td class="row-buttons">
              <Button class="quiet" onClick={() => void app().worker.call("endForward", { id })}>
                Close
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
