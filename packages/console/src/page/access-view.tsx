import { useSignal } from "@preact/signals";
import type { AccessAnswer } from "../contract/messages.js";
import { nameOf, namesIn } from "../contract/paths.js";
import { app, seeAs } from "./app-state.js";
import { Button } from "./button.js";
import { Text } from "./fields.js";
import { Heads } from "./heads.js";
import { lazyView } from "./lazy-view.js";
import { navigationOf } from "./navigation.js";
import { ProblemBox } from "./problem-box.js";
import { param } from "./route.js";
import { useAttempt } from "./use-attempt.js";

const verbs = ["get", "list", "watch", "create", "update", "patch", "delete"];

/** Who may do what, and which binding grants it: the server's authorizers are asked, nothing is guessed. */
export function AccessView() {
  const user = useSignal(seeAs.value?.user ?? "");
  const groups = useSignal("");
  const answers = useSignal<readonly AccessAnswer[] | undefined>(undefined);
  const { isBusy, problem, attempt } = useAttempt();
  const asked = useSignal<{ readonly user: string; readonly groups: readonly string[] }>({ user: "", groups: [] });
  const chosen = useSignal<AccessAnswer | undefined>(undefined);
  const ask = async (): Promise<void> => {
    const resources = navigationOf(app().cluster.resources)
      .filter(({ title }) => title !== "More")
      .flatMap(({ items }) => items)
      .slice(0, 40)
      .map((item) => ({ group: item.group, resource: item.resource }));
    asked.value = { user: user.value.trim(), groups: namesIn(groups.value) };
    answers.value = await app().worker.call("access", { ...asked.value, namespace: param("ns"), resources });
    chosen.value = undefined;
  };
  const onSubmit = (event: Event): void => {
    event.preventDefault();
    void attempt(ask);
  };
  return (
    <section class="access padded" aria-label="Who may what">
      <form class="toolbar" onSubmit={onSubmit}>
        <h1>Who may what</h1>
        <Text label="User" value={user} placeholder={app().cluster.user || "yourself"} />
        <Text label="Groups" value={groups} />
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
    const name = nameOf(answer);
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
                <Button
                  class={`quiet ${answer.isAllowed ? "tone-ok" : "muted"}`}
                  title={answer.reason}
                  aria-label={`${answer.verb} ${name}: ${answer.isAllowed ? "yes" : "no"}`}
                  onClick={() => onChoose(answer)}
                >
                  {answer.isAllowed ? "yes" : "–"}
                </Button>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
