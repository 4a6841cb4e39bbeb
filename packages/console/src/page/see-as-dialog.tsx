import { useSignal } from "@preact/signals";
import { app, notify, seeAs } from "./app-state.js";
import { Button } from "./button.js";
import { closeDialog } from "./dialogs-state.js";
import { Text } from "./fields.js";
import { Buttons, Modal } from "./modal.js";
import { ProblemBox } from "./problem-box.js";
import { useAttempt } from "./use-attempt.js";

/** Impersonation: everything that follows is asked as somebody else. */
export function SeeAsDialog() {
  const user = useSignal(seeAs.value?.user ?? "");
  const group = useSignal(seeAs.value?.groups[0] ?? "");
  const { problem, attempt } = useAttempt();
  const become = (wanted: typeof seeAs.value): Promise<void> =>
    attempt(async () => {
      await app().worker.call("seeAs", { as: wanted });
      seeAs.value = wanted;
      closeDialog();
      dispatchEvent(new HashChangeEvent("hashchange"));
      if (wanted) notify(`Asking as ${wanted.user}`);
    });
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
        {problem.value && <ProblemBox problem={problem.value} />}
        <Buttons close="Cancel">
          {seeAs.value && <Button onClick={() => void become(undefined)}>Be {app().cluster.user} again</Button>}
          <button type="submit" class="filled">
            See as
          </button>
        </Buttons>
      </form>
    </Modal>
  );
}
