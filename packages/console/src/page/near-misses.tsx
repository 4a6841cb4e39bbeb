import type { Calls } from "../contract/messages.js";
import { app } from "./app-state.js";
import { ProblemBox } from "./problem-box.js";
import { useCall } from "./use-call.js";

type Question = Calls["nearMisses"]["params"];

/** Why not: the bindings that would allow it but for one thing, and what that is. */
export function NearMisses({ question }: { readonly question: Question }) {
  if (!app().cluster.hasHistory)
    return <p class="muted">Only a server of this project reports which bindings nearly allow it.</p>;
  return <Asked question={question} />;
}

function Asked({ question: { user, groups, namespace, group, resource, verb } }: { readonly question: Question }) {
  const question = { user, groups, namespace, group, resource, verb };
  const { value, problem } = useCall("nearMisses", question, JSON.stringify(question));
  if (problem) return <ProblemBox problem={problem} />;
  if (!value) return <p class="muted">Asking what nearly allows it …</p>;
  return (
    <div class="near-misses">
      <p>{value.text}</p>
      {value.nearMisses.length === 0 && <p class="muted">No binding nearly allows it.</p>}
      <ul>
        {value.nearMisses.map(({ binding, role, lack }) => (
          <li key={`${binding} ${role} ${lack}`}>
            <strong>{binding}</strong> → {role}: {lack}
          </li>
        ))}
      </ul>
    </div>
  );
}
