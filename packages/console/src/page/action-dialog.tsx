import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type Action, asDryRun, asTypeScript } from "../contract/action.js";
import type { KubernetesValue, ObjectRef, Problem } from "../contract/messages.js";
import { app, notify } from "./app-state.js";
import { Button } from "./button.js";
import { closeDialog } from "./dialogs-state.js";
import { Difference } from "./difference.js";
import { Buttons, Modal } from "./modal.js";
import { ProblemBox } from "./problem-box.js";
import { problemIn } from "./worker-client.js";

interface ActionDialogProps {
  readonly actions: readonly { readonly action: Action; readonly ref: ObjectRef }[];
  readonly onDone: ((failed: number) => void) | undefined;
}

/** Shows what an action would do, asked of the server as a dry run, before it is done. */
export function ActionDialog({ actions, onDone }: ActionDialogProps) {
  const tried = useSignal<{ readonly before: string; readonly after: string } | undefined>(undefined);
  const problem = useSignal<Problem | undefined>(undefined);
  const isBusy = useSignal(false);
  const [first] = actions;
  useEffect(() => {
    if (!first) return;
    tryAction(first.action, first.ref).then(
      (result) => void (tried.value = result),
      (error) => void (problem.value = problemIn(error)),
    );
  }, []);
  if (!first) return null;
  const many = actions.length > 1;
  const run = async (): Promise<void> => {
    isBusy.value = true;
    const failed = await runAll(actions.map(({ action }) => action));
    isBusy.value = false;
    if (failed.length > 0) problem.value = failed[0];
    else {
      notify(`${first.action.title}: ${many ? `${actions.length} objects` : first.ref.name}`);
      closeDialog();
    }
    onDone?.(failed.length);
  };
  return (
    <Modal title={`${first.action.title}: ${many ? `${actions.length} ${first.ref.resource}` : first.ref.name}?`} wide>
      {many && (
        <p class="names">
          {actions.map(({ ref }) => (ref.namespace === "" ? ref.name : `${ref.namespace}/${ref.name}`)).join(", ")}
        </p>
      )}
      {problem.value && <ProblemBox problem={problem.value} />}
      {!problem.value && <Preview action={first.action} tried={tried.value} many={many} />}
      <Copies actions={actions.map(({ action }) => action)} />
      <Buttons close="Cancel">
        <Button
          class={first.action.isDangerous ? "danger filled" : "filled"}
          disabled={isBusy.value}
          onClick={() => void run()}
        >
          {first.action.title}
        </Button>
      </Buttons>
    </Modal>
  );
}

function Preview({
  action,
  tried,
  many,
}: {
  readonly action: Action;
  readonly tried: { before: string; after: string } | undefined;
  readonly many: boolean;
}) {
  if (!tried) return <p class="muted">Asking the server what would change …</p>;
  if (action.request.method === "DELETE")
    return <p>The server would do it. What {many ? "they own" : "it owns"} goes too, in the background.</p>;
  return (
    <>
      <p class="muted">{many ? "The server's dry run for the first of them:" : "The server's dry run:"}</p>
      <Difference before={tried.before} after={tried.after} label="What would change" />
    </>
  );
}

async function tryAction(action: Action, ref: ObjectRef): Promise<{ before: string; after: string }> {
  const { worker } = app();
  const isScale = action.id === "scale";
  const isNew = action.request.method === "POST";
  const before = isNew ? { value: {} } : await worker.call("get", { ref, at: "" });
  const { value } = await worker.call("send", { request: asDryRun(action.request) });
  if (action.request.method === "DELETE") return { before: "", after: "" };
  // A subresource answers with its own kind: what it has of the object is shown in the object.
  const after = isScale
    ? { ...before.value, spec: { ...(before.value as KubernetesValue)["spec"], replicas: value["spec"]?.replicas } }
    : value;
  const [left, right] = await Promise.all(
    [before.value, after].map((object) => worker.call("yaml", { value: comparable(object) })),
  );
  return { before: isNew ? "" : (left ?? ""), after: right ?? "" };
}

/** Without what every write changes. */
function comparable(object: { readonly metadata?: object | undefined }): unknown {
  const { managedFields: _, resourceVersion: __, ...metadata } = (object.metadata ?? {}) as Record<string, unknown>;
  return { ...object, metadata };
}

async function runAll(actions: readonly Action[]): Promise<Problem[]> {
  const failed: Problem[] = [];
  for (const { request } of actions) {
    try {
      await app().worker.call("send", { request });
    } catch (error) {
      failed.push(problemIn(error));
    }
  }
  return failed;
}

function Copies({ actions }: { readonly actions: readonly Action[] }) {
  const kubectl = actions.map((action) => action.kubectl).join("\n");
  const copy = (text: string, what: string): void =>
    void navigator.clipboard.writeText(text).then(
      () => notify(`Copied ${what}`),
      () => notify("The browser did not allow it", "bad"),
    );
  return (
    <details class="copies">
      <summary>The same by hand</summary>
      <pre tabIndex={0}>{kubectl}</pre>
      <p class="buttons">
        <Button onClick={() => copy(kubectl, "as kubectl")}>Copy as kubectl</Button>
        <Button onClick={() => copy(actions.map(({ request }) => asTypeScript(request)).join("\n"), "as TypeScript")}>
          Copy as TypeScript
        </Button>
      </p>
    </details>
  );
}
