import { useSignal } from "@preact/signals";
import { app, notify, seeAs } from "./app-state.js";
import { closeDialog } from "./dialogs-state.js";
import { Text } from "./fields.js";
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
    void become({ user: user.value.trim(), groups: group.value.trim() === "" ? [] : [group.value.trim()] });
  };
  return (
    <Modal title="See as another user">
      <form onSubmit={submit} class="fields">
        <p class="muted">Requests are sent with impersonation headers; you need the right to impersonate.</p>
        <Text label="User" value={user} required placeholder="ann or system:serviceaccount:shop:web" />
        <Text label="Group" value={group} placeholder="devs" />
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
