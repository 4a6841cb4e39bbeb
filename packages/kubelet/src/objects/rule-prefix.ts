/** Of the annotations that make simulated pods and nodes behave otherwise. */
export const rulePrefix = "simulation.coxswain.dev/";
