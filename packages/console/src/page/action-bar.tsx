import { getOwn } from "@coxswain/apimachinery/own";
import { useSignal } from "@preact/signals";
import type { Action } from "../contract/action.js";
import { isSimulated, machineAnnotation } from "../contract/machines.js";
import type { ObjectRef, ObjectState, ResourceInfo } from "../contract/messages.js";
import { actionsFor, machineAction, scaleAction } from "./actions.js";
import { app, can, now } from "./app-state.js";
import { Button } from "./button.js";
import { openDialog } from "./dialogs-state.js";
import { param } from "./route.js";

interface ActionBarProps {
  readonly info: ResourceInfo;
  readonly objectRef: ObjectRef;
  readonly state: ObjectState | undefined;
}

/** What can be done with the object that is open. Nothing is done before its dialog has shown what. */
export function ActionBar({ info, objectRef, state }: ActionBarProps) {
  if (app().cluster.readOnly || param("at") !== "" || !state?.object || state.isGone) return null;
  const { object } = state;
  const start = (action: Action): void => openDialog({ kind: "action", actions: [{ action, ref: objectRef }] });
  const isNode = info.resource === "nodes" && info.group === "";
  const offered = actionsFor(info, objectRef, new Date(now.value).toISOString()).filter(({ id }) => fits(id, object));
  return (
    <div class="actions" role="group" aria-label="Actions">
      {can(info, "patch") && info.subresources.includes("scale") && (
        <Scale
          current={object["spec"]?.replicas ?? 0}
          onScale={(replicas) => start(scaleAction(objectRef, replicas))}
        />
      )}
      {isNode && (
        <Button class="danger" onClick={() => openDialog({ kind: "drain", node: objectRef.name })}>
          Drain
        </Button>
      )}
      {isNode &&
        isSimulated(object["status"]?.nodeInfo ?? {}) &&
        machineStates(getOwn(object.metadata?.annotations, machineAnnotation) ?? "").map((wanted) => {
          const action = machineAction(objectRef, wanted);
          return (
            <Button key={wanted} class={action.isDangerous ? "danger" : ""} onClick={() => start(action)}>
              {action.title}
            </Button>
          );
        })}
      {offered.map((action) => (
        <Button key={action.id} class={action.isDangerous ? "danger" : ""} onClick={() => start(action)}>
          {action.title}
        </Button>
      ))}
    </div>
  );
}

/** Pure: whether an action changes anything on this object. */
export function fits(id: string, object: NonNullable<ObjectState["object"]>): boolean {
  const { suspend = false, unschedulable = false } = object["spec"] ?? {};
  if (id === "suspend") return !suspend;
  if (id === "resume") return suspend;
  if (id === "cordon") return !unschedulable;
  return id === "uncordon" ? unschedulable : true;
}

const machineStates = (machine: string): readonly ("off" | "unreachable" | "on")[] =>
  machine === "" ? ["off", "unreachable"] : ["on"];

function Scale({ current, onScale }: { readonly current: number; readonly onScale: (replicas: number) => void }) {
  const wanted = useSignal<number | undefined>(undefined);
  const submit = (event: Event): void => {
    event.preventDefault();
    onScale(wanted.value ?? current);
    wanted.value = undefined;
  };
  return (
    <form class="scale" onSubmit={submit}>
      <label>
        Replicas
        <input
          type="number"
          min="0"
          max="10000"
          value={wanted.value ?? current}
          onInput={(event) => (wanted.value = Number(event.currentTarget.value))}
        />
      </label>
      <button type="submit" disabled={wanted.value === undefined || wanted.value === current}>
        Scale
      </button>
    </form>
  );
}
