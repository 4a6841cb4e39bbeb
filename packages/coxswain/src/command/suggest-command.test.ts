import { expect, it } from "vitest";
import { suggestCommand } from "./suggest-command.js";

const commands = ["up", "down", "status", "kubectl", "version", "operator"];
const cases: [typed: string, suggestion: string][] = [
  ["upp", 'Did you mean "coxswain up"?'],
  ["versoin", 'Did you mean "coxswain version"?'],
  ["get podz", 'Did you mean "coxswain kubectl get"?'],
  ["run web --image nginx", 'Did you mean "coxswain kubectl run"?'],
  ["create deployment web", 'Did you mean "coxswain kubectl create"?'],
  ["start", 'Did you mean "coxswain up"?'],
  ["run", 'Did you mean "coxswain up"?'],
  ["create cluster", 'Did you mean "coxswain up"?'],
  ["delete cluster --name a", 'Did you mean "coxswain reset"?'],
  ["constructor", 'Try "coxswain help".'],
];
for (const [typed, suggestion] of cases)
  it(`coxswain ${typed}: ${suggestion}`, () => expect(suggestCommand(typed.split(" "), commands)).toBe(suggestion));
