import { useSignal } from "@preact/signals";
import { app, notify, seeAs } from "./app-state.js";
import { closeDialog } from "./dialogs-state.js";
import { Modal } from "./modal.js";
import { problemIn } from "./worker-client.js";

/** Impersonation: everything that follows is asked as somebody else. */
export function SeeAsDialog() {
  const user = useSignal(seeAs.value?.user ?? "");
  const group = useSignal(seeAs.value?.groups[0] ?? "");
  const become = async (wanted: typeof seeAs.value): Promise<void> => {
    try {
      await app().worker.call("seeAs", { as: wanted });
      seeAs.value = wanted;
      closeDialog();
      dispatchEvent(new HashChangeEvent("hashchange"));
      if (wanted) notify(`Asking as ${wanted.user}`);
    } catch (error) {
      notify(problemIn(error).message, "bad");
    }
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    const groups = group.value.trim() === "" ? [] : [group.value.trim()];
    void become({ user: user.value.trim(), groups });
  };
  return (
    <Modal title="See as another user">
      <form onSubmit={submit} class="fields">
        <p class="muted">Requests are sent with impersonation headers; you need the right to impersonate.</p>
        <label>
          User
          <input
            value={user.value}
            required
            placeholder="ann or system:serviceaccount:shop:web"
            onInput={(event) => (user.value = event.currentTarget.value)}
          />
        </label>
        <label>
          Group
          <input
            value={group.value}
            placeholder="devs"
            onInput={(event) => (group.value = event.currentTarget.value)}
          />
        </label>
        <p class="buttons">
          <button type="button" onClick={closeDialog}>
            Cancel
          </button>
          {seeAs.value && (
            <button type="button" onClick={() => void become(undefined)}>
              Be {app().cluster.user} again
            </button>
          )}
          <button type="submit" class="filled">
            See as
          </button>
        </p>
      </form>
    </Modal>
  );
}
