import { useSignal } from "@preact/signals";
import type { AccessAnswer, Problem } from "../contract/messages.js";
import { app, seeAs } from "./app-state.js";
import { Heads } from "./heads.js";
import { lazyView } from "./lazy-view.js";
import { navigationOf } from "./navigation.js";
import { ProblemBox } from "./problem-box.js";
import { param } from "./route.js";
import { problemIn } from "./worker-client.js";

const verbs = ["get", "list", "watch", "create", "update", "patch", "delete"];

/** Who may do what, and which binding grants it: the server's authorizers are asked, nothing is guessed. */
export function AccessView() {
  const user = useSignal(seeAs.value?.user ?? "");
  const group = useSignal("");
  const answers = useSignal<readonly AccessAnswer[] | undefined>(undefined);
  const problem = useSignal<Problem | undefined>(undefined);
  const isBusy = useSignal(false);
  const asked = useSignal<{ readonly user: string; readonly groups: readonly string[] }>({ user: "", groups: [] });
  const chosen = useSignal<AccessAnswer | undefined>(undefined);
  const ask = async (event: Event): Promise<void> => {
    event.preventDefault();
    isBusy.value = true;
    problem.value = undefined;
    const resources = navigationOf(app().cluster.resources)
      .filter(({ title }) => title !== "More")
      .flatMap(({ items }) => items)
      .slice(0, 40)
      .map((item) => ({ group: item.group, resource: item.resource }));
    try {
      asked.value = { user: user.value.trim(), groups: group.value === "" ? [] : [group.value] };
      const groups = group.value === "" ? [] : [group.value];
      answers.value = await app().worker.call("access", {
        user: user.value.trim(),
        groups,
        namespace: param("ns"),
        resources,
      });
      chosen.value = undefined;
    } catch (error) {
      problem.value = problemIn(error);
    }
    isBusy.value = false;
  };
  return (
    <section class="access padded" aria-label="Who may what">
      <form class="toolbar" onSubmit={(event) => void ask(event)}>
        <h1>Who may what</h1>
        <label>
          User{" "}
          <input
            value={user.value}
            placeholder={app().cluster.user || "yourself"}
            onInput={(event) => (user.value = event.currentTarget.value)}
          />
        </label>
        <label>
          Group <input value={group.value} onInput={(event) => (group.value = event.currentTarget.value)} />
        </label>
        <button type="submit" class="filled" disabled={isBusy.value}>
          Ask
        </button>
        <span class="muted">{param("ns") === "" ? "in all namespaces" : `in ${param("ns")}`}</span>
      </form>
      {problem.value && <ProblemBox problem={problem.value} />}
      {chosen.value && (
        <p class="reason" role="status">
          {chosen.value.verb} {chosen.value.resource}: {chosen.value.isAllowed ? "yes" : "no"}
          {chosen.value.reason === ""
            ? chosen.value.isAllowed
              ? ""
              : ", no binding grants it"
            : `, ${chosen.value.reason}`}
        </p>
      )}
      {chosen.value && !chosen.value.isAllowed && (
        <NearMisses
          key={`${chosen.value.verb} ${chosen.value.resource}`}
          question={{ ...chosen.value, ...asked.value, namespace: param("ns") }}
        />
      )}
      {answers.value ? (
        <Matrix answers={answers.value} onChoose={(answer) => (chosen.value = answer)} />
      ) : (
        <p class="muted">
          {isBusy.value ? "Asking …" : "Asks the server about each verb on each kind, for you or for somebody else."}
        </p>
      )}
    </section>
  );
}

const NearMisses = lazyView(async () => (await import("./near-misses.js")).NearMisses);

function Matrix({
  answers,
  onChoose,
}: {
  readonly answers: readonly AccessAnswer[];
  readonly onChoose: (answer: AccessAnswer) => void;
}) {
  const rows = new Map<string, AccessAnswer[]>();
  for (const answer of answers) {
    const name = answer.group === "" ? answer.resource : `${answer.resource}.${answer.group}`;
    rows.set(name, [...(rows.get(name) ?? []), answer]);
  }
  return (
    <table class="plain matrix">
      <Heads titles={["Kind", ...verbs]} />
      <tbody>
        {[...rows].map(([name, row]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {row.map((answer) => (
              <td key={answer.verb}>
                <button
                  type="button"
                  class={`quiet ${answer.isAllowed ? "tone-ok" : "muted"}`}
                  title={answer.reason}
                  aria-label={`${answer.verb} ${name}: ${answer.isAllowed ? "yes" : "no"}`}
                  onClick={() => onChoose(answer)}
                >
                  {answer.isAllowed ? "yes" : "–"}
                </button>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
