import type { ObjectRef } from "../contract/messages.js";
import { GraphView } from "./graph-view.js";
import { MomentButton } from "./moment-button.js";
import { ProblemBox } from "./problem-box.js";
import { param } from "./route.js";
import { useCall } from "./use-call.js";

const ends: Readonly<Record<string, string>> = {
  person: "It ends with somebody's request.",
  clock: "It ends with time.",
  node: "It ends with what a node reported.",
  measurement: "It ends with a measurement.",
  unknown: "The history does not have what came before.",
};

interface WhyProps {
  readonly objectRef: ObjectRef;
  readonly version: string;
}

/** Why an object is as it is: the server's sentences, and causes and effects of the change as a graph. */
export function WhyTab({ objectRef, version }: WhyProps) {
  const revision = param("revision");
  const explained = useCall("explain", { ref: objectRef, revision }, `${version} ${revision}`);
  const { value, problem } = explained;
  if (problem) return <ProblemBox problem={problem} />;
  if (!value) return <p class="muted padded-line">loading …</p>;
  const focus = revision === "" ? (value.steps[0]?.revision ?? "") : revision;
  return (
    <div class="summary">
      <section>
        <h2>{revision === "" ? "Why it is here" : `Why revision ${revision}`}</h2>
        <ol class="chain">
          {value.steps.map(({ text, certainty, revision: at }, index) => (
            <li key={index} style={{ paddingLeft: `${index * 1.2}rem` }}>
              {index > 0 && <span class="muted">because </span>}
              {text} {at !== "" && <MomentButton revision={at} />}
              {certainty !== "" && certainty !== "exact" && <span class="chip">{certainty}</span>}
            </li>
          ))}
        </ol>
        {value.steps.length === 0 && <p class="muted">The history has no change of it.</p>}
        {value.steps.length > 0 && <p class="muted">{ends[value.end] ?? ""}</p>}
        {value.notes.map((note) => (
          <p key={note}>{note}</p>
        ))}
      </section>
      {focus !== "" && <Causes objectRef={objectRef} revision={focus} />}
    </div>
  );
}

function Causes({ objectRef, revision }: { readonly objectRef: ObjectRef; readonly revision: string }) {
  const { value, problem } = useCall("causes", { ref: objectRef, revision }, `${objectRef.name} ${revision}`);
  return (
    <section>
      <h2>Causes and effects</h2>
      {problem && <ProblemBox problem={problem} />}
      {value && value.nodes.length > 1 && <GraphView graph={value} label="Causes and effects" />}
      {value && value.nodes.length < 2 && <p class="muted">No other change of the last thousand belongs to it.</p>}
      {!value && !problem && <p class="muted">loading …</p>}
    </section>
  );
}
